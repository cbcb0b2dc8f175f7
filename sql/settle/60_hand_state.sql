-- read_hands: what was read for each hand: places, whether two readings of one place differ, whether a card cannot be read, and the cards.
CREATE OR REPLACE TEMP TABLE read_hands AS
WITH summed AS (
    SELECT
        hand_key,
        count(*) AS readings,
        count(card_bit) AS readable,
        bit_or(CASE position WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 4 ELSE 8 END) AS places_mask,
        bit_or(card_bit) AS cards_mask
    FROM counted_readings
    WHERE hand_key IS NOT NULL
    GROUP BY hand_key
),
odd AS (
    SELECT hand_key FROM summed WHERE readings <> 3 OR readable <> 3 OR places_mask <> 7
),
by_place AS (
    SELECT
        hand_key,
        position,
        count(DISTINCT coalesce(card, '')) AS texts,
        count(DISTINCT card_bit) AS cards,
        bool_or(card_bit IS NULL) AS unread
    FROM counted_readings
    SEMI JOIN odd USING (hand_key)
    GROUP BY hand_key, position
)
SELECT hand_key, 3 AS places, 3 AS cards, false AS conflicting, false AS unreadable, cards_mask
FROM summed
ANTI JOIN odd USING (hand_key)
UNION ALL
SELECT
    hand_key,
    count(by_place.position),
    CAST(sum(by_place.cards) AS INTEGER),
    bool_or(by_place.texts > 1 AND by_place.position IS NOT NULL),
    bool_or(by_place.unread OR by_place.position IS NULL),
    any_value(coalesce(summed.cards_mask, 0))
FROM by_place
JOIN summed USING (hand_key)
GROUP BY hand_key;

-- posted_hands: what was posted for each hand: how many cards, how many of them can be read, and the cards.
CREATE OR REPLACE TEMP TABLE posted_hands AS
SELECT
    hands.hand_key,
    CAST(3 AS BIGINT) AS places,
    CAST(if(a.card_bit IS NULL, 0, 1) + if(b.card_bit IS NULL, 0, 1) + if(c.card_bit IS NULL, 0, 1) AS BIGINT) AS cards,
    coalesce(a.card_bit, 0) | coalesce(b.card_bit, 0) | coalesce(c.card_bit, 0) AS cards_mask
FROM current_hands AS hands
LEFT JOIN card_faces AS a ON a.card = hands.cards[1]
LEFT JOIN card_faces AS b ON b.card = hands.cards[2]
LEFT JOIN card_faces AS c ON c.card = hands.cards[3]
WHERE len(hands.cards) = 3
UNION ALL
SELECT hands.hand_key, len(hands.cards), count(card_faces.card_bit), coalesce(bit_or(card_faces.card_bit), 0)
FROM (SELECT hand_key, cards, unnest(if(len(cards) = 0, [NULL], cards)) AS card FROM current_hands WHERE len(cards) <> 3) AS hands
LEFT JOIN card_faces ON card_faces.card = hands.card
GROUP BY hands.hand_key, hands.cards;

-- duplicate_cards: the cards that stand twice in one round, in the readings that count (at two places) or in the posted hands.
CREATE OR REPLACE TEMP TABLE duplicate_cards AS
WITH suspects AS (
    SELECT hands.round_key
    FROM current_hands AS hands
    LEFT JOIN read_hands USING (hand_key)
    LEFT JOIN posted_hands USING (hand_key)
    GROUP BY hands.round_key
    HAVING
        sum(read_hands.cards) > bit_count(bit_or(read_hands.cards_mask))
        OR sum(posted_hands.cards) > bit_count(bit_or(posted_hands.cards_mask))
    UNION
    SELECT round_key FROM counted_readings WHERE hand_key IS NULL
),
held AS (
    SELECT DISTINCT round_key, 'read' AS how, "to" AS hand_id, position, card_bit
    FROM counted_readings
    SEMI JOIN suspects USING (round_key)
    WHERE card_bit IS NOT NULL
    UNION ALL
    SELECT hands.round_key, 'posted', hands.hand_id, hands.position, card_faces.card_bit
    FROM (
        SELECT round_key, hand_id, unnest(cards) AS card, generate_subscripts(cards, 1) AS position
        FROM current_hands
        SEMI JOIN suspects USING (round_key)
    ) AS hands
    JOIN card_faces ON card_faces.card = hands.card
)
SELECT round_key, how, card_bit
FROM held
GROUP BY ALL
HAVING count(*) > 1;

-- short_dealers: dealer hands of fewer than three cards that something depends on: an accepted play, an ante that went to the
-- showdown, or a six-card bet that stands.
CREATE OR REPLACE TEMP TABLE short_dealers AS
WITH short AS (
    SELECT hands.round_key, hands.hand_key
    FROM current_hands AS hands
    LEFT JOIN read_hands USING (hand_key)
    LEFT JOIN posted_hands USING (hand_key)
    WHERE hands.is_dealer AND coalesce(least(read_hands.places, posted_hands.places), 0) < 3
)
SELECT DISTINCT short.hand_key
FROM short
JOIN current_wagers AS wagers USING (round_key)
JOIN participant_state AS state ON state.participant_key = wagers.participant_key
LEFT JOIN filed_kinds ON filed_kinds.filing_no = state.filing_no AND filed_kinds.kind = wagers.kind
WHERE
    state.status_no = 1
    AND wagers.status = 'accepted'
    AND NOT EXISTS (SELECT 1 FROM void_scope WHERE void_scope.wager_key = wagers.wager_key)
    AND (
        wagers.kind = 'play'
        OR (wagers.kind = 'ante' AND NOT state.folded)
        OR (filed_kinds.role = 'six' AND NOT (filed_kinds.forfeited_by_fold AND state.folded))
    );

-- hands_in_void: hands that a void took out of play: named by it, or with every wager on them in its scope.
CREATE OR REPLACE TEMP TABLE hands_in_void AS
SELECT hands.hand_key
FROM current_hands AS hands
JOIN rounds USING (round_key)
WHERE
    rounds.status = 'voided'
    OR (
        rounds.has_void
        AND (list_contains(rounds.void_hand_ids, hands.hand_id) OR list_contains(rounds.void_hand_ids, 'dealer'))
    )
UNION
SELECT void_scope.hand_key
FROM void_scope
WHERE NOT EXISTS (
    SELECT 1
    FROM current_wagers AS wagers
    ANTI JOIN void_scope AS scope USING (wager_key)
    WHERE wagers.hand_key = void_scope.hand_key AND wagers.status <> 'rejected'
);

-- hand_state: each hand with the cards that count and the first check that makes it distrusted (contract: "Cards that count").
-- A hand of fewer than three cards is a fault only where it stands, in a settled round outside a void, and the
-- dealer's only where it is needed or was begun: where all have folded the dealer need not turn a card, but does not deal one or two.
-- `distrust` is what bars the hand from being judged, `raised` the check that says so: a card that cannot be read, and cards read that are
-- not those posted, are raised only where the hand stands. `unusable` also says why a hand has no category though no check is about it.
CREATE OR REPLACE TEMP TABLE hand_state AS
WITH seen AS (
    SELECT
        hands.hand_key,
        hands.round_key,
        hands.hand_id,
        hands.is_dealer,
        read_hands.places AS read_places,
        posted_hands.places AS posted_places,
        coalesce(read_hands.cards_mask, posted_hands.cards_mask) AS cards_mask,
        read_hands.cards_mask AS read_mask,
        posted_hands.cards_mask AS posted_mask,
        coalesce(read_hands.places, posted_hands.places) AS places,
        coalesce(read_hands.conflicting, false) AS conflicting,
        coalesce(read_hands.unreadable, false) OR coalesce(posted_hands.cards < posted_hands.places, false) AS unreadable,
        rounds.status = 'settled' AND hands_in_void.hand_key IS NULL AS stands,
        NOT hands.is_dealer
            OR short_dealers.hand_key IS NOT NULL
            OR coalesce(read_hands.places, posted_hands.places) IN (1, 2) AS is_needed,
        coalesce(
            (coalesce(read_hands.cards_mask, 0) | coalesce(posted_hands.cards_mask, 0)) & doubles.cards_mask <> 0, false
        ) AS holds_duplicate
    FROM current_hands AS hands
    JOIN rounds USING (round_key)
    LEFT JOIN read_hands USING (hand_key)
    LEFT JOIN posted_hands USING (hand_key)
    LEFT JOIN hands_in_void USING (hand_key)
    LEFT JOIN short_dealers USING (hand_key)
    LEFT JOIN (SELECT round_key, bit_or(card_bit) AS cards_mask FROM duplicate_cards GROUP BY round_key) AS doubles USING (round_key)
),
broken AS (
    SELECT hand_key FROM broken_corrections
    UNION
    SELECT earlier_hand_key FROM broken_corrections
),
judged AS (
    SELECT
        seen.*,
        broken.hand_key IS NOT NULL AS has_broken_chain,
        CASE
            WHEN broken.hand_key IS NOT NULL THEN 'correction_chain_broken'
            WHEN seen.conflicting THEN 'conflicting_reading'
            WHEN seen.unreadable THEN 'unreadable_card'
            WHEN greatest(read_places, posted_places) > 3 THEN 'wrong_card_count'
            WHEN stands AND is_needed AND least(read_places, posted_places) < 3 THEN 'wrong_card_count'
            WHEN read_mask <> posted_mask THEN 'reading_hand_mismatch'
            WHEN holds_duplicate THEN 'duplicate_card'
        END AS distrust
    FROM seen
    LEFT JOIN broken USING (hand_key)
)
SELECT
    judged.hand_key,
    judged.round_key,
    judged.hand_id,
    judged.is_dealer,
    judged.read_places,
    judged.posted_places,
    judged.cards_mask,
    judged.stands,
    judged.distrust,
    CASE
        WHEN judged.has_broken_chain THEN 'correction_chain_broken'
        WHEN judged.conflicting THEN 'conflicting_reading'
        WHEN judged.stands AND judged.unreadable THEN 'unreadable_card'
        WHEN greatest(judged.read_places, judged.posted_places) > 3 THEN 'wrong_card_count'
        WHEN judged.stands AND judged.is_needed AND coalesce(least(judged.read_places, judged.posted_places), 0) < 3 THEN 'wrong_card_count'
        WHEN judged.stands AND least(judged.read_places, judged.posted_places) = 3 AND judged.read_mask <> judged.posted_mask
            THEN 'reading_hand_mismatch'
    END AS raised,
    coalesce(judged.distrust, if(three_card_hands.cards_mask IS NULL, 'wrong_card_count', NULL)) AS unusable,
    three_card_hands.category,
    three_card_hands.class_no,
    three_card_hands.strength,
    three_card_hands.odd_rank,
    three_card_hands.rank_key,
    three_card_hands.suit_key
FROM judged
LEFT JOIN three_card_hands
    ON three_card_hands.cards_mask = judged.cards_mask AND judged.distrust IS NULL AND judged.places = 3;
