-- check: wallet_amount_mismatch
-- title: The wallet booked another amount
-- severity: critical
-- family: wallet
-- reach: round
-- needs: wallet
-- question: For which players did the wallet move another amount than the studio reported?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_amount_mismatch'
-- means: The wallet moved another amount than the studio reported, and none of the other wallet faults explains it.
-- matters: What the player has differs from what the studio settled, be it by a cent: somebody rounds, splits or adds otherwise than
--   the other.
-- do: Compare the bookings of the round with its wagers one by one; where many differ by a like amount, look at how the wallet rounds
--   and how it splits payments.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    upper(books[1]) || books[2:] || CASE
        WHEN difference > 0 THEN ': the player has ' || money(difference, currency) || ' too much'
        WHEN difference < 0 THEN ': the player has ' || money(-difference, currency) || ' too little'
        ELSE ': the same in the end, but ' || money(abs(stake_difference), currency) || ' off on either side'
    END || ' ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_amount_mismatch'
