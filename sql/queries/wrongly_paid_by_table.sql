-- query: wrongly_paid_by_table
-- subject: money
-- question: How much was handed back too much and too little at each table, by wager kind and currency?
-- param day (date, optional): one gaming day
-- param studio (text, optional): one studio
-- example: resettle ask wrongly_paid_by_table --lake lake --param day=2026-10-31

-- Only wagers on which something can be said to be due: settled and voided ones, in real money.
SELECT
    studio_id,
    gaming_day,
    table_id,
    kind,
    currency,
    count(*) AS wagers,
    count(*) FILTER (delta > 0) AS overpaid_wagers,
    coalesce(sum(delta) FILTER (delta > 0), 0) AS overpaid,
    count(*) FILTER (delta < 0) AS underpaid_wagers,
    coalesce(-sum(delta) FILTER (delta < 0), 0) AS underpaid
FROM settlements
WHERE
    play_mode = 'real'
    AND settlement IN ('settled', 'voided')
    AND ($day IS NULL OR gaming_day = $day)
    AND ($studio IS NULL OR studio_id = $studio)
GROUP BY ALL
HAVING count(*) FILTER (delta <> 0) > 0
ORDER BY studio_id, gaming_day, table_id, kind, currency
