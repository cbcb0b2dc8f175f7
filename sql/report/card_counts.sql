-- How often each card came in each place, and how often it should have: a line a studio, table, place and card. The player's cards are judged
-- against the whole deck, the dealer's against what the players' known cards leave of it, so that it does not matter for whom the dealer's
-- hand was turned. spread is the variance of the count that sampling without replacement gives, times 52 / 51 of it.
WITH drawn AS (
    SELECT studio_id, gaming_day, round_key, table_id, hands, player_cards, dealer_cards IS NOT NULL AS is_turned FROM dealt_rounds
),
places AS (
    SELECT studio_id, gaming_day, round_key, is_dealer, unnest([1, 2, 3]) AS place, unnest([first, second, third]) AS card FROM dealt_hands
),
-- What each place drew in a round: so many cards out of so many.
draws AS (
    SELECT studio_id, table_id, is_dealer, hands, count(*) AS rounds
    FROM (
        SELECT studio_id, table_id, false AS is_dealer, hands FROM drawn
        UNION ALL
        SELECT studio_id, table_id, true, hands FROM drawn WHERE is_turned
    )
    GROUP BY ALL
),
-- In how many of those rounds the players hold a card, so that the dealer cannot.
held AS (
    SELECT studio_id, table_id, hands, card, count(*) AS rounds
    FROM places
    JOIN drawn USING (studio_id, gaming_day, round_key)
    WHERE NOT is_dealer AND is_turned
    GROUP BY ALL
),
chances AS (
    SELECT
        draws.*,
        card,
        draws.rounds - if(draws.is_dealer, coalesce(held.rounds, 0), 0) AS possible,
        if(draws.is_dealer, 1, draws.hands) AS taken,
        if(draws.is_dealer, 52 - 3 * draws.hands, 52) AS out_of
    FROM draws
    CROSS JOIN (SELECT unnest(range(52)) AS card) AS deck
    LEFT JOIN held USING (studio_id, table_id, hands, card)
),
seen AS (
    SELECT studio_id, table_id, is_dealer, place, card, count(*) AS seen
    FROM places
    JOIN drawn USING (studio_id, gaming_day, round_key)
    GROUP BY ALL
),
-- One place of a hand draws one card a hand, all three of them three.
expected AS (
    SELECT
        studio_id, table_id, is_dealer, card,
        sum(possible * taken / out_of) AS each,
        sum(possible * taken * (out_of - taken) / (out_of * (out_of - 1.0))) AS spread,
        sum(possible * 3 * taken / out_of) AS of_three,
        sum(possible * 3 * taken * (out_of - 3 * taken) / (out_of * (out_of - 1.0))) AS spread_of_three
    FROM chances
    GROUP BY studio_id, table_id, is_dealer, card
)
SELECT
    studio_id,
    table_id,
    is_dealer,
    card,
    coalesce(seen.of_three, 0) AS seen,
    coalesce(seen.places, [0, 0, 0]) AS seen_at,
    expected.of_three AS expected,
    expected.spread_of_three AS spread,
    expected.each AS expected_at,
    expected.spread AS spread_at
FROM expected
LEFT JOIN (
    SELECT
        studio_id, table_id, is_dealer, card, CAST(sum(seen) AS BIGINT) AS of_three,
        [
            coalesce(any_value(seen) FILTER (place = 1), 0), coalesce(any_value(seen) FILTER (place = 2), 0),
            coalesce(any_value(seen) FILTER (place = 3), 0)
        ] AS places
    FROM seen
    GROUP BY studio_id, table_id, is_dealer, card
) AS seen USING (studio_id, table_id, is_dealer, card)
ORDER BY ALL
