-- check: paid_on_open_round
-- title: Something was handed back while the round was open
-- severity: critical
-- family: money
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers were handed something back while their round was open or interrupted?
-- examines: round_sorts by wagers where settlement = 'pending'
-- subject: wagers of open or interrupted rounds
-- suspects: round_sorts where settlement = 'pending' and is_paid
-- means: Something was handed back on a wager whose round the log still calls open or interrupted.
-- matters: There is no result yet, so there is nothing to pay by. The payment either anticipates an outcome, or the log has lost the end of
--   the round.
-- do: Ask the studio for the round's final telling. If it was settled, the later delivery puts it right; if it never was, claim the payment
--   back or have the round voided with a reason.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, 0 AS expected, handed_back AS paid, delta,
    filing_no, citation, source_file, source_line,
    kind_words || ' handed back ' || handed_back_words || ' while its round was still ' || settlement_reason
        || ' ({filing}): nothing was due before it settles or is voided.' AS message
FROM wager_faults
WHERE fault = 'paid_on_open_round'
