-- check: wallet_orphan
-- title: The wallet booked what the log does not know
-- severity: high
-- family: wallet
-- reach: round
-- needs: wallet
-- question: Which bookings of the wallet are for a round, or for a player in it, that the log does not know?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_orphan'
-- means: The wallet booked money for a round that the log does not know, or for a player who is not in it, and has not taken it back.
-- matters: Either the log lacks a round, which then was never audited, or money was moved for no wager at all.
-- do: Look for the round in the studio's next delivery and in the quarantine. If it was never dealt, have the booking reversed.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    CASE WHEN round_known THEN 'The log knows the round but not this player in it: ' ELSE 'The log does not know this round: ' END || books || ' ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_orphan'
