-- check: void_paid_as_settled
-- title: More than the stake came back from a void
-- severity: critical
-- family: money
-- reach: round
-- filing_key: void
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers in a void got more back than their stake?
-- examines: settlements where settlement = 'voided'
-- subject: voided wagers

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' was voided and '
        || CASE WHEN status = 'cancelled' THEN 'reversed by its cancellation, and ' || handed_back_words || ' was handed back as well: a stake too many'
                ELSE handed_back_words || ' was handed back' END
        || '; a void returns the stake and pays no win or bonus ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'void_paid_as_settled'
