-- What was due, what the studio reported and what the wallet moved, per operator, currency and standing; test play apart.
SELECT
    operator_id,
    currency,
    standing,
    CAST(sum(players) AS BIGINT) AS players,
    CAST(sum(due) AS DECIMAL(38, 6)) AS due,
    CAST(sum(reported) AS DECIMAL(38, 6)) AS reported,
    CAST(sum(wallet) AS DECIMAL(38, 6)) AS wallet,
    CAST(CASE WHEN count(reported_less_due) = count(*) THEN sum(reported_less_due) END AS DECIMAL(38, 6)) AS reported_less_due,
    CAST(sum(wallet_less_reported) AS DECIMAL(38, 6)) AS wallet_less_reported
FROM three_way
WHERE standing <> 'test'
GROUP BY operator_id, currency, standing
ORDER BY operator_id, currency, list_position(['settled', 'unsettleable', 'pending', 'not_accepted', 'unknown'], standing), standing
