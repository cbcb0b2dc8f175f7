-- view: card_faults
-- title: Each current hand with the first thing that is wrong with its cards
-- reach: round
-- keep: nothing

-- One row a current hand; fault is the check that it raises, null where its cards are in order. hand_named is the hand in words. has_cards is
-- false for each hand of a feed that carries no cards.
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
    NOT list_has_any(coalesce(dealt.feed_lacks, []), ['cards', 'cards_all_day']) AS has_cards
FROM current_hands AS hands
JOIN hand_state AS state ON state.hand_key = hands.hand_key
JOIN rounds AS dealt ON dealt.round_key = hands.round_key
