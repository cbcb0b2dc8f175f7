-- check: void_not_refunded
-- title: A void stake was not refunded in full
-- severity: critical
-- family: money
-- reach: round
-- filing_key: void
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers in a void got less back than their stake?
-- examines: settlements where settlement = 'voided'
-- subject: voided wagers

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' was voided and '
        || CASE WHEN handed_back = 0 THEN 'nothing' ELSE handed_back_words END
        || ' was handed back; a void returns every stake in its scope ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'void_not_refunded'
