-- view: card_faults
-- title: Each current hand with the first thing that is wrong with its cards
-- reach: round

-- One row a current hand; fault is the check that it raises, null where its cards are in order. hand_named is the hand in words. A chunk in
-- which no card was read or posted at all comes from a feed that has none: has_cards is then false for each of its hands.
SELECT
    hands.table_id,
    hands.round_id,
    hands.round_key,
    hands.hand_id,
    hands.hand_key,
    hands.source_file,
    hands.source_line,
    CASE WHEN hands.is_dealer THEN 'the dealer''s hand' ELSE 'hand ' || hands.hand_id END AS hand_named,
    hands.cards AS posted,
    state.stands,
    state.read_places,
    state.posted_places,
    state.raised AS fault,
    (SELECT coalesce(bool_or(read_places IS NOT NULL OR posted_places IS NOT NULL), false) FROM hand_state) AS has_cards
FROM current_hands AS hands
JOIN hand_state AS state ON state.hand_key = hands.hand_key
