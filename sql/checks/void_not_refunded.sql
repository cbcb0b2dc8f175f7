-- check: void_not_refunded
-- title: A void stake was not refunded in full
-- severity: critical
-- family: money
-- reach: round
-- filing_key: void
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers in a void got less back than their stake?
-- examines: round_sorts by wagers where settlement = 'voided'
-- subject: voided wagers
-- suspects: round_sorts where settlement = 'voided' and (is_off or (status = 'cancelled' and is_paid))
-- means: The wager lay in a void's scope, and less than its stake came back, often nothing at all. A wager cancelled with nothing paid
--   counts as refunded, since the reversal gave the stake back.
-- matters: A void returns every stake in its scope. What is missing is the player's money, held without a bet behind it.
-- do: Refund the difference in the wager's own currency. Where the whole round is short, look for the refund run that failed; where one
--   kind is short, for the side wager that the run does not know.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' was voided and '
        || CASE WHEN handed_back = 0 THEN 'nothing' ELSE handed_back_words END
        || ' was handed back; a void returns every stake in its scope ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'void_not_refunded'
