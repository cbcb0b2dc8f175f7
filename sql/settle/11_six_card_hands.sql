-- five_card_runs: the ten straights as masks of ranks, the lowest with the ace below the two.
CREATE OR REPLACE TEMP TABLE five_card_runs AS
SELECT 31 << low AS run_mask FROM range(9) AS runs (low)
UNION ALL
SELECT 4111;

-- six_card_ranks: every choice of six ranks of which none occurs five times, with the best five-card category that the ranks alone make.
CREATE OR REPLACE TEMP TABLE six_card_ranks AS
WITH faces AS (SELECT DISTINCT rank_no, rank_power AS power FROM card_faces),
chosen AS (
    SELECT
        [a.rank_no, b.rank_no, c.rank_no, d.rank_no, e.rank_no, f.rank_no] AS ranks,
        a.power + b.power + c.power + d.power + e.power + f.power AS rank_key
    FROM faces AS a
    JOIN faces AS b ON a.rank_no <= b.rank_no
    JOIN faces AS c ON b.rank_no <= c.rank_no
    JOIN faces AS d ON c.rank_no <= d.rank_no
    JOIN faces AS e ON d.rank_no <= e.rank_no AND a.rank_no <> e.rank_no
    JOIN faces AS f ON e.rank_no <= f.rank_no AND b.rank_no <> f.rank_no
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
SELECT DISTINCT main.suit_power * 5 + other.suit_power AS suit_key, main.suit_no
FROM card_faces AS main
CROSS JOIN card_faces AS other;

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
