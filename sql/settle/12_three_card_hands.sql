-- three_card_hands: all 22,100 hands of three cards, dealt out card by card and put in the game's order: a straight above a flush.
-- One row a hand: cards_mask (the sum of its card bits), category, strength (higher beats lower, equal ties), class_no (see hand_classes),
-- odd_rank (the highest rank of a hand with nothing in it, null for a pair or better) and the two sums by which six cards are looked up.
CREATE OR REPLACE TEMP TABLE three_card_hands AS
WITH straights (low, mid, high, straight_no) AS (
    VALUES
    (0, 1, 12, 1), (0, 1, 2, 2), (1, 2, 3, 3), (2, 3, 4, 4), (3, 4, 5, 5), (4, 5, 6, 6), (5, 6, 7, 7), (6, 7, 8, 8), (7, 8, 9, 9),
    (8, 9, 10, 10), (9, 10, 11, 11), (10, 11, 12, 12)
),
dealt AS (
    SELECT
        a.rank_no AS low,
        b.rank_no AS mid,
        c.rank_no AS high,
        a.suit_no,
        a.suit_no = b.suit_no AND b.suit_no = c.suit_no AS suited,
        a.card_bit | b.card_bit | c.card_bit AS cards_mask,
        a.rank_power + b.rank_power + c.rank_power AS rank_key,
        a.suit_power + b.suit_power + c.suit_power AS suit_key
    FROM card_faces AS a
    JOIN card_faces AS b ON a.card_no < b.card_no
    JOIN card_faces AS c ON b.card_no < c.card_no
),
sorted AS (
    SELECT
        dealt.*,
        straight_no,
        CASE
            WHEN suited AND straight_no IS NOT NULL THEN 5
            WHEN low = high THEN 4
            WHEN straight_no IS NOT NULL THEN 3
            WHEN suited THEN 2
            WHEN low = mid OR mid = high THEN 1
            ELSE 0
        END AS category_no
    FROM dealt
    LEFT JOIN straights USING (low, mid, high)
)
SELECT
    cards_mask,
    list_extract(['high_card', 'pair', 'flush', 'straight', 'three_of_a_kind', 'straight_flush'], category_no + 1) AS category,
    CAST(
        dense_rank() OVER (
            ORDER BY
                category_no,
                CASE WHEN category_no IN (3, 5) THEN straight_no WHEN category_no = 1 THEN mid ELSE high END,
                CASE WHEN category_no IN (3, 5) THEN 0 WHEN category_no = 1 THEN if(low = mid, high, low) ELSE mid END,
                CASE WHEN category_no IN (0, 2) THEN low ELSE 0 END
        ) AS SMALLINT
    ) AS strength,
    CAST(CASE WHEN category_no = 5 AND low = 10 THEN if(suit_no = 3, 7, 6) ELSE category_no END AS TINYINT) AS class_no,
    CASE WHEN category_no = 0 THEN high END AS odd_rank,
    rank_key,
    suit_key
FROM sorted
ORDER BY cards_mask;
