-- hand_cards: what was read and what was posted for each current hand: how many places, how many cards that can be read, and those cards
-- as the sum of their bits; also whether one place was read as two cards, and whether a reading cannot be read.
CREATE OR REPLACE TEMP TABLE hand_cards AS
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
by_place AS (
    -- Only of hands that are not simply three readable cards at three places.
    SELECT
        hand_key,
        position,
        -- What was not recognised equals nothing, itself included.
        count(DISTINCT if(card = '??', card || reading_no, coalesce(card, ''))) AS texts,
        count(DISTINCT card_bit) AS cards,
        bool_or(card_bit IS NULL) AS unread
    FROM counted_readings
    WHERE hand_key IN (SELECT hand_key FROM summed WHERE readings <> 3 OR readable <> 3 OR places_mask <> 7)
    GROUP BY hand_key, position
),
oddly_read AS (
    SELECT
        hand_key,
        count(position) AS places,
        sum(cards) AS cards,
        bool_or(texts > 1 AND position IS NOT NULL) AS conflicting,
        bool_or(unread OR position IS NULL) AS unreadable
    FROM by_place
    GROUP BY hand_key
),
oddly_posted AS (
    SELECT posted.hand_key, count(card_faces.card_bit) AS cards, bit_or(card_faces.card_bit) AS cards_mask
    FROM (SELECT hand_key, unnest(cards) AS card FROM current_hands WHERE len(cards) <> 3) AS posted
    LEFT JOIN card_faces ON card_faces.card = posted.card
    GROUP BY posted.hand_key
)
SELECT
    hands.hand_key,
    hands.round_key,
    hands.hand_id,
    hands.is_dealer,
    CASE WHEN summed.hand_key IS NOT NULL THEN coalesce(oddly_read.places, 3) END AS read_places,
    CASE WHEN summed.hand_key IS NOT NULL THEN CAST(coalesce(oddly_read.cards, 3) AS BIGINT) END AS read_cards,
    summed.cards_mask AS read_mask,
    coalesce(oddly_read.conflicting, false) AS conflicting,
    coalesce(oddly_read.unreadable, false) AS read_unreadable,
    len(hands.cards) AS posted_places,
    CASE
        WHEN len(hands.cards) = 3
            THEN if(a.card_bit IS NULL, 0, 1) + if(b.card_bit IS NULL, 0, 1) + if(c.card_bit IS NULL, 0, 1)
        WHEN hands.cards IS NOT NULL THEN coalesce(oddly_posted.cards, 0)
    END AS posted_cards,
    CASE
        WHEN len(hands.cards) = 3 THEN coalesce(a.card_bit, 0) | coalesce(b.card_bit, 0) | coalesce(c.card_bit, 0)
        WHEN hands.cards IS NOT NULL THEN coalesce(oddly_posted.cards_mask, 0)
    END AS posted_mask
FROM current_hands AS hands
LEFT JOIN summed ON summed.hand_key = hands.hand_key
LEFT JOIN oddly_read ON oddly_read.hand_key = hands.hand_key
LEFT JOIN oddly_posted ON oddly_posted.hand_key = hands.hand_key
LEFT JOIN card_faces AS a ON a.card = hands.cards[1]
LEFT JOIN card_faces AS b ON b.card = hands.cards[2]
LEFT JOIN card_faces AS c ON c.card = hands.cards[3];

-- duplicate_cards: the cards that stand twice in one round, in the readings that count (at two places) or in the posted hands.
CREATE OR REPLACE TEMP TABLE duplicate_cards AS
WITH suspects AS (
    SELECT round_key
    FROM hand_cards
    GROUP BY round_key
    HAVING sum(read_cards) > bit_count(bit_or(read_mask)) OR sum(posted_cards) > bit_count(bit_or(posted_mask))
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
SELECT DISTINCT short.hand_key
FROM hand_cards AS short
JOIN rounds ON rounds.round_key = short.round_key
JOIN current_wagers AS wagers ON wagers.round_key = short.round_key
LEFT JOIN bets_made AS bets ON bets.participant_key = wagers.participant_key
LEFT JOIN terms
    ON terms.table_id IS NOT DISTINCT FROM wagers.table_id
    AND terms.operator_id IS NOT DISTINCT FROM wagers.operator_id
    AND terms.currency IS NOT DISTINCT FROM wagers.currency
LEFT JOIN filed_kinds ON filed_kinds.filing_no = terms.filing_no AND filed_kinds.kind = wagers.kind
WHERE
    short.is_dealer
    AND coalesce(least(short.read_places, short.posted_places), 0) < 3
    AND rounds.status = 'settled'
    AND wagers.status = 'accepted'
    AND NOT EXISTS (FROM void_scope WHERE void_scope.wager_key = wagers.wager_key)
    AND (
        wagers.kind = 'play'
        OR (wagers.kind = 'ante' AND bets.bits & 2 = 2)
        OR (filed_kinds.role = 'six' AND NOT (filed_kinds.forfeited_by_fold AND coalesce(bets.bits & 3 = 1, false)))
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
        hands.*,
        coalesce(read_mask, posted_mask) AS cards_mask,
        coalesce(read_places, posted_places) AS places,
        read_unreadable OR posted_cards < posted_places AS unreadable,
        rounds.status = 'settled' AND hands_in_void.hand_key IS NULL AS stands,
        NOT hands.is_dealer
            OR short_dealers.hand_key IS NOT NULL
            OR coalesce(read_places, posted_places) IN (1, 2) AS is_needed,
        (coalesce(read_mask, 0) | coalesce(posted_mask, 0)) & doubles.cards_mask <> 0 AS holds_duplicate
    FROM hand_cards AS hands
    JOIN rounds USING (round_key)
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
