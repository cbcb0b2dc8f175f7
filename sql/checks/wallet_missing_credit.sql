-- check: wallet_missing_credit
-- title: The wallet has no credit for what was paid
-- severity: critical
-- family: wallet
-- reach: round
-- needs: wallet
-- filing_key: late_credit_grace
-- question: For which players has the wallet no credit for what the studio says it handed back?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_missing_credit'
-- means: The studio says that it handed money back, and the wallet has no credit for it. While the ledger has not passed the filed
--   grace it is a remark: the credit may be on its way.
-- matters: The player won and was not paid, though every report says so. Nothing but the wallet can show it.
-- do: Have the credit made, and record it with the finding's id. Several in a row at one operator point to a queue that stopped.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    CASE WHEN is_awaited THEN 'info' END AS severity,
    source_file, source_line,
    CASE WHEN is_awaited THEN 'A credit is awaited, and still in time: ' ELSE 'What was paid never reached the player: ' END || books || ', so '
        || money(-paid_difference, currency) || ' is missing ({filing}: {rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_missing_credit'
