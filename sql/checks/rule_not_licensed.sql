-- check: rule_not_licensed
-- title: A filed rule is not licensed
-- severity: high
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day file a rule of the game that is not licensed?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day files a rule of the game, such as the qualifier, the tie or the fold, that
--   the regulation does not allow.
-- matters: Changed rules change the game's edge as much as a changed paytable does, and are seen less easily.
-- do: Run `resettle filing check` on the file and read which rule is meant. Mostly a filing for another jurisdiction was copied.

SELECT
    gaming_day, filing_no, play_mode, any_value(filing_id) || ' ' || key AS detail,
    string_agg(DISTINCT citation, ', ' ORDER BY citation) AS citation,
    string_agg(key, ', ' ORDER BY key) AS filing_key,
    any_value(source_file) AS source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, which files a rule that is not licensed: {} ({}).', tables, gaming_day,
        string_agg(message, '; ' ORDER BY key), string_agg(DISTINCT citation, ', ' ORDER BY citation)
    ) AS message
FROM licence_told
WHERE check_id = 'rule_not_licensed'
GROUP BY gaming_day, filing_no, play_mode, tables, key
