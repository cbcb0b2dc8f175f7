-- query: round_cards
-- subject: rounds
-- question: Which cards did each hand of a round hold, as read and as posted, and what do they make?
-- param round (text): the round
-- param studio (text, optional): its studio, where two studios use the id
-- example: resettle ask round_cards --lake lake --param round=TCP-02-0000050

-- A reading that another replaces does not count.
WITH counted AS (
    SELECT reading.studio_id, reading.gaming_day, reading.hand_key, reading.position, min(reading.card) AS card
    FROM card_readings AS reading
    WHERE
        reading.round_id = $round AND reading.is_current
        AND NOT EXISTS (
            FROM card_readings AS later
            WHERE
                later.studio_id = reading.studio_id AND later.gaming_day = reading.gaming_day AND later.round_key = reading.round_key
                AND later.replaces = reading.seq AND later.seq <> reading.seq
        )
    GROUP BY ALL
)
SELECT
    hand.studio_id,
    hand.hand_id,
    list(counted.card ORDER BY counted.position) FILTER (counted.card IS NOT NULL) AS cards_read,
    hand.cards AS cards_posted,
    hand_category(coalesce(list(counted.card ORDER BY counted.position) FILTER (counted.card IS NOT NULL), hand.cards)) AS category
FROM hands AS hand
LEFT JOIN counted
    ON counted.studio_id = hand.studio_id AND counted.gaming_day = hand.gaming_day AND counted.hand_key = hand.hand_key
WHERE hand.round_id = $round AND hand.is_current AND ($studio IS NULL OR hand.studio_id = $studio)
GROUP BY hand.studio_id, hand.gaming_day, hand.hand_key, hand.hand_id, hand.is_dealer, hand.cards
ORDER BY hand.studio_id, hand.is_dealer, hand.hand_id
