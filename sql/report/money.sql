-- Real money per currency: what was staked, handed back and due on settled wagers, and what was paid wrongly on settled and voided ones.
SELECT
    currency,
    count(*) AS wagers,
    count(DISTINCT operator_id || chr(0) || player_id) AS players,
    count(*) FILTER (settlement = 'settled') AS settled,
    CAST(coalesce(sum(stake) FILTER (settlement = 'settled'), 0) AS DECIMAL(38, 6)) AS handle,
    CAST(coalesce(sum(stake) FILTER (settlement = 'settled' AND funding = 'free'), 0) AS DECIMAL(38, 6)) AS free_handle,
    CAST(coalesce(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) FILTER (settlement = 'settled'), 0) AS DECIMAL(38, 6)) AS returned,
    CAST(coalesce(sum(expected + coalesce(expected_bonus, 0)) FILTER (settlement = 'settled'), 0) AS DECIMAL(38, 6)) AS due,
    count(*) FILTER (delta > 0) AS overpaid_wagers,
    CAST(coalesce(sum(delta) FILTER (delta > 0), 0) AS DECIMAL(38, 6)) AS overpaid,
    count(*) FILTER (delta < 0) AS underpaid_wagers,
    CAST(coalesce(-sum(delta) FILTER (delta < 0), 0) AS DECIMAL(38, 6)) AS underpaid
FROM settlements
WHERE play_mode = 'real'
GROUP BY ALL
ORDER BY wagers DESC, currency
