-- check: unreadable_card
-- title: A card that counts cannot be read
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 649a.11
-- question: In which settled rounds, outside a void, does a card that counts stay unreadable?
-- examines: card_faults where stands
-- subject: hands
-- unless: NOT has_cards — the feed has no cards
-- suspects: card_faults where fault = 'unreadable_card'
-- means: In a settled round outside a void, a card that counts was logged as unreadable, or as something that is none of the 52 cards.
-- matters: The result was posted, so somebody knew the card, but the log cannot show it. Nothing that depends on the hand can be audited.
-- do: Have the card read from the recording and entered as a correction that names who read it. If one shoe or position keeps failing, have
--   its scanner looked at.

WITH hands AS (SELECT * FROM card_faults WHERE fault = 'unreadable_card'),
unread AS (
    SELECT
        hands.hand_key,
        counted.reading_no AS place,
        format(
            'card {} of {} was read as {}',
            coalesce(CAST(counted.position AS VARCHAR), 'without a place'), hands.hand_named, coalesce(counted.card, 'nothing')
        ) AS told
    FROM hands
    JOIN counted_readings AS counted ON counted.hand_key = hands.hand_key AND (counted.card_bit IS NULL OR counted.position IS NULL)
    UNION ALL
    SELECT
        posted.hand_key,
        1000 + posted.place,
        format('card {} of {} was posted as {}', posted.place, posted.hand_named, coalesce(posted.card, 'nothing'))
    FROM (SELECT hand_key, hand_named, unnest(posted) AS card, generate_subscripts(posted, 1) AS place FROM hands) AS posted
    WHERE posted.card IS NULL OR posted.card NOT IN (SELECT card FROM card_faces)
)
SELECT
    hands.table_id, hands.round_id, hands.round_key, hands.source_file, hands.source_line,
    arg_min(hands.hand_id, hands.hand_key) AS hand_id,
    format(
        'In this round {}: a card that counts is due to be known ({{rule}}).',
        string_agg(unread.told, ', ' ORDER BY hands.hand_key, unread.place)
    ) AS message
FROM hands
JOIN unread USING (hand_key)
GROUP BY ALL
