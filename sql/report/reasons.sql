-- Why wagers could not be settled.
SELECT coalesce(settlement_reason, 'no reason given') AS reason, count(*) AS wagers
FROM settlements
WHERE play_mode = 'real' AND settlement = 'unsettleable'
GROUP BY ALL
ORDER BY wagers DESC, reason
