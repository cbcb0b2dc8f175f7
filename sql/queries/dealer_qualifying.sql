-- query: dealer_qualifying
-- subject: cards
-- question: How often did the dealer qualify at each table, beside the exact share?
-- param studio (text, optional): one studio
-- param day (date, optional): one gaming day
-- example: resettle ask dealer_qualifying --lake lake

-- One dealer hand is one observation. 15,380 of 22,100 hands qualify with a queen or better; another filed qualifier has another share.
WITH dealt AS (
    SELECT DISTINCT wager.studio_id, wager.gaming_day, wager.table_id, wager.round_id, filed.qualifier, wager.dealer_qualifies
    FROM settlements AS wager
    JOIN filings AS filed USING (filing_fingerprint)
    WHERE
        wager.dealer_qualifies IS NOT NULL
        AND ($studio IS NULL OR wager.studio_id = $studio) AND ($day IS NULL OR wager.gaming_day = $day)
)
SELECT
    studio_id,
    table_id,
    qualifier,
    count(*) AS dealer_hands,
    count(*) FILTER (dealer_qualifies) AS qualified,
    CAST(100 * qualified / dealer_hands AS DECIMAL(9, 4)) AS qualified_percent,
    CASE WHEN qualifier = 'Q' THEN CAST(69.5928 AS DECIMAL(9, 4)) END AS exact_percent
FROM dealt
GROUP BY studio_id, table_id, qualifier
ORDER BY studio_id, table_id, qualifier
