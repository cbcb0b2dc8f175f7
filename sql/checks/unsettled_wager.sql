-- check: unsettled_wager
-- title: Nothing is recorded as paid though something was due
-- severity: high
-- family: money
-- reach: round
-- filing_key: {kind}.odds
-- question: Which settled wagers have nothing recorded as paid though something was due?
-- examines: round_sorts by wagers where settlement in ('settled', 'unsettleable')
-- subject: settled wagers
-- unless: settlement = 'unsettleable' — unsettleable ({settlement_reason})
-- suspects: round_sorts where is_off and settlement = 'settled'
-- means: Something was due on the wager and the log records no payment at all: not a wrong amount, not zero, but nothing.
-- matters: The player may be unpaid, or may have been paid outside the log. Either way nothing shows that the wager was ever settled.
-- do: Look the wager up at the operator. If it was paid, ask for a corrected telling of the round; if not, pay what was due. Several on one
--   table in a row point to a settlement run that stopped.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    'Nothing is recorded as paid on ' || kind_words || ' of ' || money(stake, currency)
        || CASE WHEN line IS NOT NULL THEN ', which hit ' || replace(line, '_', ' ') || ' at ' || odds ELSE '' END
        || ' ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'unsettled_wager'
