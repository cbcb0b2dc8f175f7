-- view: dealt_rounds
-- title: The current rounds in which a card was read or posted
-- reach: round
-- keep: day

SELECT DISTINCT round_key
FROM (
    SELECT round_key FROM current_card_readings
    UNION ALL
    SELECT round_key FROM current_hands WHERE len(cards) > 0
)
