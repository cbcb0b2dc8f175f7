-- check: wallet_currency_mismatch
-- title: The wallet booked in another currency
-- severity: high
-- family: wallet
-- reach: round
-- needs: wallet
-- question: For which players did the wallet book in a currency in which they had no wager in the round?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_currency_mismatch'
-- means: The wallet booked for a player in a currency in which the player has no wager in that round. Where that booking is missing in
--   the right currency, both currencies are named.
-- matters: An amount in another currency is another amount. Totals of either currency are off, and the player was paid too much or too
--   little.
-- do: Have the booking reversed and made again in the currency of the wager, and check the currency that the session was opened with.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    CASE
        WHEN in_log THEN 'The wallet booked for this player in another currency: ' || books
        ELSE 'The player has no wager in ' || currency || ' in the round: ' || books
    END || ' ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_currency_mismatch'
