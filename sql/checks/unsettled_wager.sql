-- check: unsettled_wager
-- title: Nothing is recorded as paid though something was due
-- severity: high
-- family: money
-- reach: round
-- filing_key: {kind}.odds
-- question: Which settled wagers have nothing recorded as paid though something was due?
-- examines: settlements where settlement in ('settled', 'unsettleable')
-- subject: settled wagers
-- unless: settlement = 'unsettleable' — unsettleable ({settlement_reason})

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    'Nothing is recorded as paid on ' || kind_words || ' of ' || money(stake, currency)
        || CASE WHEN line IS NOT NULL THEN ', which hit ' || replace(line, '_', ' ') || ' at ' || odds ELSE '' END
        || ' ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'unsettled_wager'
