-- view: whole_deals
-- title: Each current round with all its cards as they were dealt
-- reach: round
-- keep: day

-- deal holds the three cards of each hand and, last, the dealer's, each in its place; null where a hand has not three that can be trusted,
-- and in a round where the dealer turned none. hands counts the players'. has_cards is false in a feed that carries no cards.
WITH read AS (
    SELECT
        hand_key,
        concat_ws(
            ' ', max(card) FILTER (position = 1), max(card) FILTER (position = 2), max(card) FILTER (position = 3)
        ) AS cards
    FROM counted_readings
    GROUP BY hand_key
)
SELECT
    dealt.table_id,
    dealt.round_key,
    NOT list_has_any(coalesce(dealt.feed_lacks, []), ['cards', 'cards_all_day']) AS has_cards,
    count(*) - 1 AS hands,
    CASE
        WHEN count(*) > 1 AND count(state.category) = count(*)
            THEN string_agg(coalesce(read.cards, array_to_string(hands.cards, ' ')), ', ' ORDER BY hands.is_dealer, hands.hand_key)
    END AS deal
FROM current_hands AS hands
JOIN current_rounds AS dealt ON dealt.round_key = hands.round_key
JOIN hand_state AS state ON state.hand_key = hands.hand_key
LEFT JOIN read ON read.hand_key = hands.hand_key
GROUP BY dealt.table_id, dealt.round_key, dealt.feed_lacks
