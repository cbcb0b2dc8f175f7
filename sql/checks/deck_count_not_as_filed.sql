-- check: deck_count_not_as_filed
-- title: A table shows more decks than are filed
-- severity: high
-- family: cards
-- reach: day
-- filing_key: decks
-- citation: 58 Pa. Code § 649a.3
-- question: Which rounds bring a table to more decks within an hour than are filed?
-- examines: deck_use where of_day and decks is not null
-- subject: rounds at tables with a filed number of decks
-- means: Within an hour the table has shown more different decks than are filed. It is raised once, on the round that brings the first one
--   too many.
-- matters: A deck that nobody filed may be a spare that was brought in without record, and each change of decks is a moment in which cards
--   can be exchanged.
-- do: Look for the change of decks in the table's record. If it was a regular exchange, have it logged; if the ids are mistyped, have them
--   corrected.

WITH several AS (
    SELECT table_id FROM deck_use GROUP BY table_id HAVING count(DISTINCT deck_id) > max(decks)
),
seen AS (
    SELECT *, list_sort(list(DISTINCT deck_id) OVER recently) AS within_hour
    FROM deck_use
    WHERE table_id IN (FROM several)
    WINDOW recently AS (PARTITION BY table_id ORDER BY dated_at RANGE BETWEEN INTERVAL 1 HOUR PRECEDING AND CURRENT ROW)
),
counted AS (
    SELECT *, len(within_hour) > decks AS too_many FROM seen
),
led AS (
    SELECT *, lag(too_many) OVER (PARTITION BY table_id ORDER BY dated_at, sequence, round_id) AS were_too_many FROM counted
)
SELECT
    table_id, round_id, dealer_id, source_file, source_line, filing_no,
    format(
        'With this round the table has shown {} decks within an hour ({}): {} are filed ({{rule}}).',
        len(within_hour), array_to_string(within_hour, ', '), decks
    ) AS message
FROM led
WHERE of_day AND too_many AND NOT were_too_many
