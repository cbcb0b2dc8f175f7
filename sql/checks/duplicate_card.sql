-- check: duplicate_card
-- title: A card appears twice in one round
-- severity: critical
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 649a.3
-- question: In which rounds does one card stand at two places, among the readings that count or among the posted hands?
-- examines: current_rounds
-- subject: rounds
-- suspects: duplicate_cards
-- means: One card of the deck appears twice in the round, over the dealer's hand and all players' hands, either among the readings that
--   count or among the posted hands.
-- matters: One deck holds each card once. Either a card was misread, or a foreign card was on the table; in both cases the hands that hold
--   it cannot be trusted, and the wagers on them are not settled.
-- do: Watch the recording of the round and read the card off the picture. A misreading calls for a corrected telling; a real second card
--   calls for the deck to be taken out of use, counted and kept.

WITH places AS (
    SELECT DISTINCT doubles.round_key, doubles.card_bit, doubles.how, counted.card, counted."to" AS hand_id, counted.position
    FROM duplicate_cards AS doubles
    JOIN counted_readings AS counted ON counted.round_key = doubles.round_key AND counted.card_bit = doubles.card_bit
    WHERE doubles.how = 'read'
    UNION ALL
    SELECT doubles.round_key, doubles.card_bit, doubles.how, posted.card, posted.hand_id, posted.position
    FROM duplicate_cards AS doubles
    JOIN card_faces ON card_faces.card_bit = doubles.card_bit
    JOIN (
        SELECT round_key, hand_id, unnest(cards) AS card, generate_subscripts(cards, 1) AS position
        FROM current_hands
        SEMI JOIN duplicate_cards USING (round_key)
    ) AS posted ON posted.round_key = doubles.round_key AND posted.card = card_faces.card
    WHERE doubles.how = 'posted'
),
named AS (
    SELECT
        *,
        format(
            'card {} of {}',
            coalesce(CAST(position AS VARCHAR), 'without a place'),
            CASE WHEN hand_id = 'dealer' THEN 'the dealer''s hand' WHEN hand_id IS NULL THEN 'no hand' ELSE 'hand ' || hand_id END
        ) AS place,
        hand_id IS NOT DISTINCT FROM 'dealer' AS is_dealer
    FROM places
),
doubles AS (
    SELECT
        round_key,
        how,
        format('{} was {} as {}', card, how, string_agg(place, ' and as ' ORDER BY is_dealer, hand_id, position)) AS told
    FROM named
    GROUP BY round_key, how, card
)
SELECT
    rounds.table_id, rounds.round_id, rounds.round_key, rounds.dealer_id, rounds.source_file, rounds.source_line,
    format('{}: one deck has each card once ({{rule}}).', string_agg(doubles.told, '; ' ORDER BY doubles.how DESC, doubles.told)) AS message
FROM doubles
JOIN current_rounds AS rounds ON rounds.round_key = doubles.round_key
GROUP BY ALL
