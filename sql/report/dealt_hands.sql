-- What was dealt, once however many wagers stand on it: the temporary tables that the questions about the game rest on.

-- card_no(card): 0 (two of clubs) to 51 (ace of spades), suit after suit; null for what is no card.
CREATE OR REPLACE TEMP MACRO card_no(card) AS
    CASE WHEN len(card) = 2 THEN nullif(strpos('23456789TJQKA', card[1]), 0) - 1 + 13 * (nullif(strpos('cdhs', card[2]), 0) - 1) END;

-- card_bit(number): the card's bit in a mask of 52.
CREATE OR REPLACE TEMP MACRO card_bit(number) AS CAST(1 AS UBIGINT) << CAST(number AS UBIGINT);

-- dealt_hands: each hand of a current round of which three different cards are known, by the readings that no other replaces, else as posted.
CREATE OR REPLACE TEMP TABLE dealt_hands AS
WITH told AS (
    SELECT studio_id, gaming_day, round_key, table_id, status FROM rounds WHERE is_current AND NOT coalesce(conflicting, false)
),
counted AS (
    SELECT reading.studio_id, reading.gaming_day, reading.hand_key, reading.position, card_no(reading.card) AS card
    FROM card_readings AS reading
    ANTI JOIN (SELECT studio_id, gaming_day, round_key, replaces AS seq FROM card_readings WHERE is_current) AS replaced
        USING (studio_id, gaming_day, round_key, seq)
    WHERE reading.is_current AND reading.hand_key IS NOT NULL
),
read AS (
    SELECT
        studio_id, gaming_day, hand_key,
        max(card) FILTER (position = 1) AS first, max(card) FILTER (position = 2) AS second, max(card) FILTER (position = 3) AS third,
        bool_and(position BETWEEN 1 AND 3 AND card IS NOT NULL)
        AND first = min(card) FILTER (position = 1)
        AND second = min(card) FILTER (position = 2)
        AND third = min(card) FILTER (position = 3) AS is_whole
    FROM counted
    GROUP BY studio_id, gaming_day, hand_key
),
known AS (
    SELECT
        told.studio_id, told.gaming_day, told.round_key, told.table_id, told.status, hands.hand_key, hands.is_dealer,
        CASE WHEN read.hand_key IS NULL THEN card_no(hands.cards[1]) WHEN read.is_whole THEN read.first END AS first,
        CASE WHEN read.hand_key IS NULL THEN card_no(hands.cards[2]) WHEN read.is_whole THEN read.second END AS second,
        CASE WHEN read.hand_key IS NULL THEN card_no(hands.cards[3]) WHEN read.is_whole THEN read.third END AS third
    FROM hands
    JOIN told USING (studio_id, gaming_day, round_key)
    LEFT JOIN read USING (studio_id, gaming_day, hand_key)
    WHERE hands.is_current AND coalesce(len(hands.cards), 3) = 3
)
SELECT *, card_bit(first) | card_bit(second) | card_bit(third) AS cards
FROM known
WHERE first <> second AND second <> third AND first <> third;

-- dealt_rounds: the rounds of which every player's hand is known and no card stands twice among them; the dealer's cards null where they
-- were not turned. What is left in the deck for the dealer is then known too, whoever decided what.
CREATE OR REPLACE TEMP TABLE dealt_rounds AS
WITH named AS (
    SELECT studio_id, gaming_day, round_key, count(*) AS hands FROM hands WHERE is_current AND NOT is_dealer GROUP BY ALL
),
whole AS (
    SELECT
        studio_id, gaming_day, round_key, any_value(table_id) AS table_id,
        count(*) FILTER (NOT is_dealer) AS hands,
        bit_or(cards) FILTER (NOT is_dealer) AS player_cards,
        bit_or(cards) FILTER (is_dealer) AS dealer_cards
    FROM dealt_hands
    GROUP BY studio_id, gaming_day, round_key
)
SELECT whole.*
FROM whole
JOIN named USING (studio_id, gaming_day, round_key, hands)
WHERE bit_count(player_cards) = 3 * hands AND coalesce(player_cards & dealer_cards, 0) = 0;
