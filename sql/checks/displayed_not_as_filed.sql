-- check: displayed_not_as_filed
-- title: Players were shown something else than was filed
-- severity: critical
-- family: filing
-- reach: day
-- filing_key: wagers, limits, decks
-- citation: 58 Pa. Code § 816a.1
-- question: At which tables were an operator's players shown odds, limits or a number of decks that are not the filed ones?
-- examines: shown_tables
-- subject: displays of odds, limits or decks
-- means: The odds, limits or number of decks that were shown to an operator's players differ from the filed ones.
-- matters: Players decide by what they are shown. Whatever was filed and paid, showing another price misleads them.
-- do: Correct the display at once, and keep a picture of what it showed. Where the price shown was the better one, consider paying the
--   difference.

SELECT
    gaming_day, table_id, operator_id, filing_no, source_file, source_line,
    format(
        '{} at table {} on gaming day {} showed {} something else than {{filing}} says: {}{} ({{rule}}).',
        CASE WHEN rounds_off = 1 THEN '1 round' ELSE rounds_off || ' rounds' END,
        table_id, gaming_day, coalesce('players of operator ' || operator_id, 'players'),
        list_aggregate(differences[:5], 'string_agg', '; '),
        CASE WHEN len(differences) > 5 THEN '; and ' || (len(differences) - 5) || ' more' ELSE '' END
    ) AS message
FROM shown_tables
WHERE rounds_off > 0
