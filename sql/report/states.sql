-- Real-money wagers by what came of them, per currency, each state on a line of its own.
SELECT
    settlement,
    currency,
    count(*) AS wagers,
    CAST(sum(stake) AS DECIMAL(38, 6)) AS staked,
    CAST(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS returned,
    CAST(sum(expected + coalesce(expected_bonus, 0)) AS DECIMAL(38, 6)) AS due
FROM settlements
WHERE play_mode = 'real'
GROUP BY settlement, currency
ORDER BY list_position(['settled', 'voided', 'unsettleable', 'pending', 'not_accepted'], settlement), currency
