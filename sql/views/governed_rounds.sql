-- view: governed_rounds
-- title: How many rounds of a chunk each operator's filing governed at each table, and what the table claimed
-- reach: round
-- keep: day

-- A row a table, operator and filing in force (filing_no null: none). A round that nobody took part in counts for every filing of its
-- table, with operator_id null. A claim holds when it names the filing of any operator who took part.
WITH seats AS (
    SELECT
        dealt.round_key,
        person.operator_id,
        dealt.gaming_day,
        dealt.table_id,
        dealt.filing_id AS claimed,
        dealt.dated_at,
        dealt.source_file,
        dealt.source_line,
        coalesce(person.testing = person.participants, false) AS only_test
    FROM current_rounds AS dealt
    LEFT JOIN round_operators AS person ON person.round_key = dealt.round_key
),
governed AS (
    SELECT
        seats.*,
        force.filing_no,
        coalesce(bool_or(force.filing_id = seats.claimed) OVER (PARTITION BY seats.round_key), false) AS claim_holds
    FROM seats
    LEFT JOIN filings_in_force AS force
        ON force.table_id = seats.table_id
        AND (force.operator_id IS NULL OR seats.operator_id IS NULL OR force.operator_id = seats.operator_id)
),
counted AS (
    SELECT *, filing_no IS NOT NULL AND claimed IS NOT NULL AND NOT claim_holds AS claims_other FROM governed
)
SELECT
    gaming_day,
    table_id,
    operator_id,
    filing_no,
    CAST(count(DISTINCT round_key) AS BIGINT) AS rounds,
    CAST(count(DISTINCT round_key) FILTER (claims_other) AS BIGINT) AS rounds_claiming_other,
    CAST(coalesce(list_sort(list(DISTINCT claimed) FILTER (claims_other)), []) AS VARCHAR[]) AS claimed_others,
    bool_and(only_test) AS only_test,
    min(dated_at) AS first_dated_at,
    max(dated_at) AS last_dated_at,
    arg_min(source_file, round_key) AS source_file,
    arg_min(source_line, round_key) AS source_line
FROM counted
GROUP BY gaming_day, table_id, operator_id, filing_no
