-- view: wallet_conservation
-- title: What the wallet handed back less what the studio reported is what wallet findings name: the difference must be 0
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column operator_id: the operator
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column reported: what the studio says it handed back, bonus included, on every wager of the day
-- column wallet: what the wallet handed back, had it taken the stakes as reported; adjustments that remedy a finding apart
-- column explained: sum of the differences that wallet findings name
-- column unreached: sum of the differences of what the ledger does not reach
-- column difference: wallet less reported less explained less unreached; anything but 0 means that the night is not to be trusted

-- Each side is summed from its own rows, so that a row lost or doubled on the way to the reconciliation shows.
WITH days AS (
    SELECT DISTINCT studio_id, gaming_day FROM reconciliation
),
amounts AS (
    SELECT
        studio_id, gaming_day, operator_id, currency,
        sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS reported,
        sum(stake) FILTER (funding = 'cash' AND status = 'accepted') AS wallet,
        NULL AS explained, NULL AS unreached
    FROM settlements
    SEMI JOIN days USING (studio_id, gaming_day)
    GROUP BY ALL
    UNION ALL
    SELECT studio_id, gaming_day, operator_id, currency, NULL, sum(moved), NULL, NULL
    FROM wallet
    SEMI JOIN days USING (studio_id, gaming_day)
    WHERE type <> 'adjustment' OR ref_finding IS NULL
    GROUP BY ALL
    UNION ALL
    SELECT studio_id, gaming_day, operator_id, currency, NULL, NULL, sum(paid - expected), NULL
    FROM findings
    WHERE starts_with(check_id, 'wallet_')
    GROUP BY ALL
    UNION ALL
    SELECT studio_id, gaming_day, operator_id, currency, NULL, NULL, NULL, sum(difference)
    FROM reconciliation
    WHERE NOT examined
    GROUP BY ALL
)
SELECT
    studio_id, gaming_day, coalesce(operator_id, '') AS operator_id, coalesce(currency, '') AS currency,
    CAST(coalesce(sum(reported), 0) AS DECIMAL(38, 6)) AS reported,
    CAST(coalesce(sum(wallet), 0) AS DECIMAL(38, 6)) AS wallet,
    CAST(coalesce(sum(explained), 0) AS DECIMAL(38, 6)) AS explained,
    CAST(coalesce(sum(unreached), 0) AS DECIMAL(38, 6)) AS unreached,
    CAST(
        coalesce(sum(wallet), 0) - coalesce(sum(reported), 0) - coalesce(sum(explained), 0) - coalesce(sum(unreached), 0) AS DECIMAL(38, 6)
    ) AS difference
FROM amounts
GROUP BY studio_id, gaming_day, coalesce(operator_id, ''), coalesce(currency, '')
ORDER BY ALL
