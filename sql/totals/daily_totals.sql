-- What was staked, handed back and due at each table on a gaming day, in real money, never over two currencies.
-- A free stake is no money that came in, so it stays out of hold.
SELECT
    studio_id,
    gaming_day,
    table_id,
    operator_id,
    kind,
    currency,
    funding,
    settlement,
    count(*) AS wagers,
    CAST(sum(stake) AS DECIMAL(38, 6)) AS handle,
    CAST(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS returned,
    CAST(sum(CASE WHEN funding = 'free' THEN 0 ELSE stake END) - sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS hold,
    CAST(sum(expected + coalesce(expected_bonus, 0)) AS DECIMAL(38, 6)) AS due,
    CAST(sum(delta) AS DECIMAL(38, 6)) AS delta,
    max(filing_fingerprint) AS filing_fingerprint
FROM settlements
WHERE play_mode = 'real'
GROUP BY ALL
ORDER BY ALL
