-- query: unsettleable_wagers
-- subject: the night
-- question: Which wagers cannot be settled, why, and how much was staked and handed back on them?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- example: resettle ask unsettleable_wagers --lake lake

SELECT
    studio_id,
    gaming_day,
    table_id,
    settlement_reason AS reason,
    currency,
    count(DISTINCT round_id) AS rounds,
    count(*) AS wagers,
    sum(stake) AS staked,
    sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS handed_back
FROM settlements
WHERE
    settlement = 'unsettleable' AND play_mode = 'real'
    AND ($day IS NULL OR gaming_day = $day) AND ($table IS NULL OR table_id = $table)
GROUP BY ALL
ORDER BY studio_id, gaming_day, table_id, reason, currency
