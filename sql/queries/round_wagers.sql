-- query: round_wagers
-- subject: rounds
-- question: How did each wager of a round end: hand, outcome, rule, due and paid?
-- param round (text): the round
-- param studio (text, optional): its studio, where two studios use the id
-- example: resettle ask round_wagers --lake lake --param round=TCP-02-0000050

SELECT
    studio_id, wager_id, operator_id, player_id, kind, currency, stake, hand_category, dealer_category, dealer_qualifies, settlement,
    settlement_reason, outcome, line, odds, expected, expected_bonus, paid, bonus_paid, delta, rule, filing_id
FROM settlements
WHERE round_id = $round AND ($studio IS NULL OR studio_id = $studio)
ORDER BY studio_id, wager_key
