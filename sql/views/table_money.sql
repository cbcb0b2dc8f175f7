-- view: table_money
-- title: What was staked and handed back at a table in a currency, real money only
-- reach: round
-- keep: day

-- One row a chunk, table and currency: sum them over a day. cancelled and free are the parts of it that a studio may or may not count.
SELECT
    table_id,
    currency,
    CAST(coalesce(sum(stake) FILTER (status = 'accepted'), 0) AS DECIMAL(38, 6)) AS accepted,
    CAST(coalesce(sum(stake) FILTER (status = 'accepted' AND funding = 'free'), 0) AS DECIMAL(38, 6)) AS accepted_free,
    CAST(coalesce(sum(stake) FILTER (status = 'cancelled'), 0) AS DECIMAL(38, 6)) AS cancelled,
    CAST(coalesce(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)), 0) AS DECIMAL(38, 6)) AS returned
FROM current_wagers
WHERE play_mode = 'real'
GROUP BY table_id, currency
