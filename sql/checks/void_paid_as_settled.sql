-- check: void_paid_as_settled
-- title: More than the stake came back from a void
-- severity: critical
-- family: money
-- reach: round
-- filing_key: void
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers in a void got more back than their stake?
-- examines: round_sorts by wagers where settlement = 'voided'
-- subject: voided wagers
-- suspects: round_sorts where settlement = 'voided' and (is_off or (status = 'cancelled' and is_paid))
-- means: The wager lay in a void's scope, and more than its stake came back: it was paid as if the result stood, or it was cancelled and
--   then refunded as well.
-- matters: A void takes the result away for everyone in its scope. Whoever is paid a win on it, or a stake twice, has money that nobody may
--   keep, and the void no longer treats its players alike.
-- do: Find out whether the payment ran before the void was called or after it. Claim the excess back by the house's procedure, and compare
--   the other wagers of the round: one run that settled too early pays all of them.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' was voided and '
        || CASE WHEN status = 'cancelled' THEN 'reversed by its cancellation, and ' || handed_back_words || ' was handed back as well: a stake too many'
                ELSE handed_back_words || ' was handed back' END
        || '; a void returns the stake and pays no win or bonus ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'void_paid_as_settled'
