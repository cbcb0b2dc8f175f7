-- check: wallet_missing_debit
-- title: The wallet has no debit for a stake
-- severity: high
-- family: wallet
-- reach: round
-- needs: wallet
-- question: For which players has the wallet no debit for a stake that the studio accepted?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_missing_debit'
-- means: The studio accepted a stake that the wallet never took.
-- matters: The player played without paying: a win would have been paid out on nothing, and the handle that is reported is too high.
-- do: Find the debit in the wallet's own records by wager and time. If the call failed, the studio should not have accepted the wager:
--   have that mended first.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    'A stake was never taken: ' || books || ', which is ' || money(-stake_difference, currency) || ' too little taken ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_missing_debit'
