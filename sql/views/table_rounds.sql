-- view: table_rounds
-- title: The rounds of each table in order, led by the last round of the day before
-- reach: day

-- Current rounds of the day (of_day) and the edge of the day before, which comes first. The order at a table is by `sequence` where
-- each round has its own, else by the time that dates the round. A round that names no table is left out.
-- finished_at: posted, or voided if that came first.
WITH dealt AS (
    SELECT * FROM current_rounds WHERE table_id IS NOT NULL
    UNION ALL BY NAME
    SELECT * REPLACE (-1 AS round_key) FROM edge_rounds
),
counted AS (
    SELECT table_id, count(DISTINCT sequence) = count(*) AS by_sequence FROM current_rounds GROUP BY table_id
),
told AS (
    SELECT
        dealt.round_key, dealt.table_id, dealt.round_id, dealt.dealer_id, dealt.status, dealt.sequence, dealt.dated_at,
        dealt.opened_at, dealt.opened_at_digits, dealt.source_file, dealt.source_line,
        dealt.round_key >= 0 AS of_day,
        CASE WHEN dealt.status = 'voided' THEN least(dealt.void_at, dealt.posted_at) ELSE dealt.posted_at END AS finished_at,
        CASE
            WHEN dealt.status = 'voided' AND (dealt.posted_at IS NULL OR dealt.void_at < dealt.posted_at) THEN NULL
            ELSE dealt.posted_at_digits
        END AS finished_at_digits,
        seen.first_card_at,
        seen.first_card_at_digits,
        CASE WHEN counted.by_sequence THEN dealt.sequence END AS place
    FROM dealt
    LEFT JOIN counted ON counted.table_id = dealt.table_id
    LEFT JOIN round_clock AS seen ON seen.round_key = dealt.round_key
)
SELECT
    * EXCLUDE (place),
    lead(round_id) OVER along AS next_round_id,
    lead(first_card_at) OVER along AS next_first_card_at,
    lead(first_card_at_digits) OVER along AS next_first_card_at_digits
FROM told
WINDOW along AS (PARTITION BY table_id ORDER BY of_day, place, dated_at, round_id)
