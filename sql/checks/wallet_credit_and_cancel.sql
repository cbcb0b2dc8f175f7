-- check: wallet_credit_and_cancel
-- title: The wallet both credited and cancelled
-- severity: critical
-- family: wallet
-- reach: round
-- needs: wallet
-- question: Which players got a stake back by a cancel, and were credited as if it had stood?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_credit_and_cancel'
-- means: A stake was given back by a cancel, and the player was paid as if the wager had stood all along.
-- matters: The player has the stake twice. It is what happens when a time-out cancels a bet that the studio has taken after all.
-- do: Ask the studio which of the two holds, the bet or its cancel, and have the other reversed. Look at what the wallet answers to a
--   cancel that comes late.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    'A stake of ' || money(difference, currency) || ' was both cancelled and paid on: ' || books || ' ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_credit_and_cancel'
