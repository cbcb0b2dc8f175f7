-- query: cards_dealt
-- subject: cards
-- question: How often was each card posted, beside what an even deck gives?
-- param studio (text, optional): one studio
-- param table (text, optional): one table
-- param day (date, optional): one gaming day
-- example: resettle ask cards_dealt --lake lake --param table=TCP-03

-- Each posted hand counts once, however many wagers are on it.
WITH posted AS (
    SELECT unnest(cards) AS card
    FROM hands
    WHERE
        is_current AND ($studio IS NULL OR studio_id = $studio) AND ($table IS NULL OR table_id = $table)
        AND ($day IS NULL OR gaming_day = $day)
)
SELECT
    card,
    count(*) AS times,
    CAST(sum(count(*)) OVER () / 52 AS DECIMAL(18, 2)) AS even_share
FROM posted
GROUP BY card
ORDER BY times DESC, card
