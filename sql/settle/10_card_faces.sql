-- card_faces: the 52 cards, listed one by one, each with a number that runs by rank, its own bit, its rank (2 = 0 … A = 12) and suit, and a
-- power of either such that the sum over six cards tells how often each occurs: three bits hold up to seven.
CREATE OR REPLACE TEMP TABLE card_faces AS
SELECT
    rank.face || suit.face AS card,
    CAST(rank.no * 4 + suit.no AS TINYINT) AS card_no,
    CAST(1 AS BIGINT) << (suit.no * 13 + rank.no) AS card_bit,
    CAST(rank.no AS TINYINT) AS rank_no,
    CAST(suit.no AS TINYINT) AS suit_no,
    CAST(1 AS BIGINT) << (rank.no * 3) AS rank_power,
    CAST(1 AS BIGINT) << (suit.no * 3) AS suit_power
FROM (
    VALUES
    ('2', 0), ('3', 1), ('4', 2), ('5', 3), ('6', 4), ('7', 5), ('8', 6), ('9', 7), ('T', 8), ('J', 9), ('Q', 10), ('K', 11), ('A', 12)
) AS rank (face, no)
CROSS JOIN (VALUES ('c', 0), ('d', 1), ('h', 2), ('s', 3)) AS suit (face, no)
ORDER BY card_no;
