-- view: three_way
-- title: What was due, what the studio says it handed back and what the wallet handed back, side by side
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column operator_id: the operator
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column standing: settled (or voided), unsettleable, pending, not_accepted or unknown to the log; test for test play, which is in no total
-- column players: rounds and players (with their money in one currency) that stand behind the line
-- column due: what should have been handed back, bonus included; null where that is not known
-- column reported: what the studio says it handed back
-- column wallet: what the wallet handed back, had it taken the stakes as reported
-- column reported_less_due: reported less due
-- column wallet_less_reported: wallet less reported: the sum of the differences that wallet findings name
SELECT
    studio_id,
    gaming_day,
    operator_id,
    currency,
    CASE WHEN play_mode = 'test' THEN 'test' ELSE standing END AS standing,
    count(*) AS players,
    CAST(sum(due) AS DECIMAL(38, 6)) AS due,
    CAST(sum(reported) AS DECIMAL(38, 6)) AS reported,
    CAST(sum(reported + difference) AS DECIMAL(38, 6)) AS wallet,
    CAST(CASE WHEN count(due) = count(*) THEN sum(reported - due) END AS DECIMAL(38, 6)) AS reported_less_due,
    CAST(sum(difference) AS DECIMAL(38, 6)) AS wallet_less_reported
FROM reconciliation
WHERE examined
GROUP BY ALL
ORDER BY ALL
