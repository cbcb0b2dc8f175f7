-- check: wallet_duplicate
-- title: The wallet booked a transaction twice
-- severity: critical
-- family: wallet
-- reach: round
-- needs: wallet
-- question: For which players did the wallet book one transaction twice: one id for two bookings, or equal bookings that are just what was moved too much?
-- examines: wallet_lines
-- subject: players' money in a round
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_duplicate'
-- means: The wallet booked one transaction more than once: one id stands for two different bookings, or there are equal bookings of one
--   kind and just as much was moved too much.
-- matters: Somebody's balance is wrong by the whole of a booking. Retries that carry a new id each time do this to every player they
--   meet.
-- do: Have the operator reverse the booking that is one too many, and look for the retry that made it: whether it repeated the id or
--   made a new one.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    CASE
        WHEN doubled_amount IS NOT NULL THEN 'A ' || doubled_type || ' of ' || money(doubled_amount, currency) || ' was booked more than once'
        ELSE 'One transaction id stands for two different bookings'
    END || ': ' || books || ' ({rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_duplicate'
