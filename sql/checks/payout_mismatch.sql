-- check: payout_mismatch
-- title: The payout is not what was due
-- severity: critical
-- family: money
-- reach: round
-- filing_key: {kind}.odds
-- question: Which settled wagers handed back another amount, bonus included, than was due?
-- examines: round_sorts by wagers where settlement in ('settled', 'unsettleable')
-- subject: settled wagers
-- unless: settlement = 'unsettleable' — unsettleable ({settlement_reason})
-- suspects: round_sorts where is_off and settlement = 'settled'
-- means: The wager was settled, and what was handed back in all, bonus included, is not what the cards, the rules and the filed price make
--   due.
-- matters: This is the audit's main question. One such wager is an error; the same error on every hand of its kind is a table that does not
--   run the game that was filed.
-- do: Read the sentence: it names the line, the dealer's state and the rule. Rank the cards by hand with the macros of the lake, then look
--   for others of the same kind and line. Correct the payments, and have the fault mended before the next night.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' handed back ' || handed_back_words
        || CASE WHEN line IS NOT NULL THEN CASE WHEN kind = 'ante' THEN '; its bonus for ' ELSE '; the price of ' END || replace(line, '_', ' ') || ' is ' || odds ELSE '' END
        || CASE WHEN dealer_qualifies IS NOT NULL AND kind IN ('ante', 'play')
                THEN '; the dealer ' || CASE WHEN dealer_qualifies THEN 'qualified' ELSE 'did not qualify' END || ' and it is a ' || outcome ELSE '' END
        || ' ({filing}: {rule}): ' || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'payout_mismatch'
