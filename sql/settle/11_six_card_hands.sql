-- rank_powers, suit_powers: a number for each rank and suit such that the sum over six cards tells how often each occurs.
CREATE OR REPLACE TEMP TABLE rank_powers AS
SELECT CAST(no AS TINYINT) AS rank_no, CAST(power AS BIGINT) AS power
FROM (
    VALUES
    (0, 1), (1, 5), (2, 25), (3, 125), (4, 625), (5, 3125), (6, 15625), (7, 78125), (8, 390625), (9, 1953125), (10, 9765625),
    (11, 48828125), (12, 244140625)
) AS powers (no, power);

CREATE OR REPLACE TEMP TABLE suit_powers AS
SELECT CAST(no AS TINYINT) AS suit_no, power FROM (VALUES (0, 1), (1, 8), (2, 64), (3, 512)) AS powers (no, power);

-- five_card_runs: the ten straights as masks of ranks, the lowest with the ace below the two.
CREATE OR REPLACE TEMP TABLE five_card_runs AS
SELECT run_mask FROM (VALUES (4111), (31), (62), (124), (248), (496), (992), (1984), (3968), (7936)) AS runs (run_mask);

-- six_card_ranks: every choice of six ranks of which none occurs five times, with the best five-card category that the ranks alone make.
CREATE OR REPLACE TEMP TABLE six_card_ranks AS
WITH chosen AS (
    SELECT
        [a.rank_no, b.rank_no, c.rank_no, d.rank_no, e.rank_no, f.rank_no] AS ranks,
        a.power + b.power + c.power + d.power + e.power + f.power AS rank_key
    FROM rank_powers AS a
    JOIN rank_powers AS b ON a.rank_no <= b.rank_no
    JOIN rank_powers AS c ON b.rank_no <= c.rank_no
    JOIN rank_powers AS d ON c.rank_no <= d.rank_no
    JOIN rank_powers AS e ON d.rank_no <= e.rank_no AND a.rank_no <> e.rank_no
    JOIN rank_powers AS f ON e.rank_no <= f.rank_no AND b.rank_no <> f.rank_no
),
counted AS (
    SELECT rank_key, rank_no, count(*) AS times
    FROM (SELECT rank_key, unnest(ranks) AS rank_no FROM chosen)
    GROUP BY ALL
),
shapes AS (
    SELECT
        rank_key,
        max(times) AS most,
        count(*) FILTER (times >= 2) AS repeated,
        bit_or(CAST(1 AS BIGINT) << rank_no) AS rank_mask
    FROM counted
    GROUP BY rank_key
)
SELECT
    rank_key,
    CAST(
        CASE
            WHEN most = 4 THEN 7
            WHEN most = 3 AND repeated >= 2 THEN 6
            WHEN EXISTS (FROM five_card_runs WHERE rank_mask & run_mask = run_mask) THEN 4
            WHEN most = 3 THEN 3
            WHEN repeated >= 2 THEN 2
            WHEN repeated = 1 THEN 1
            ELSE 0
        END AS TINYINT
    ) AS category_no
FROM shapes
ORDER BY rank_key;

-- flush_suits: the ways in which five or six of six cards share a suit.
CREATE OR REPLACE TEMP TABLE flush_suits AS
SELECT main.power * 5 + other.power AS suit_key, main.suit_no
FROM suit_powers AS main
CROSS JOIN suit_powers AS other;

-- suited_ranks: every set of five or six ranks of one suit, with the category that it makes and whether it is nine to ace.
CREATE OR REPLACE TEMP TABLE suited_ranks AS
SELECT
    CAST(rank_mask AS BIGINT) AS rank_mask,
    CAST(
        CASE
            WHEN rank_mask & 7936 = 7936 THEN 9
            WHEN EXISTS (FROM five_card_runs WHERE rank_mask & run_mask = run_mask) THEN 8
            ELSE 5
        END AS TINYINT
    ) AS category_no,
    rank_mask = 8064 AS nine_to_ace
FROM range(8192) AS masks (rank_mask)
WHERE bit_count(rank_mask) IN (5, 6)
ORDER BY rank_mask;
