-- view: governed_tables
-- title: How many rounds of the day each operator's filing governed at each table, what the table claimed, and who approved the filing
-- reach: day

WITH counted AS (
    SELECT
        gaming_day,
        table_id,
        operator_id,
        filing_no,
        CAST(sum(rounds) AS BIGINT) AS rounds,
        CAST(sum(rounds_claiming_other) AS BIGINT) AS rounds_claiming_other,
        list_sort(list_distinct(flatten(list(claimed_others)))) AS claimed_others,
        CASE WHEN bool_and(only_test) THEN 'test' ELSE 'real' END AS play_mode,
        min(first_dated_at) AS first_dated_at,
        max(last_dated_at) AS last_dated_at,
        arg_min(source_file, (first_dated_at, source_file, source_line)) AS source_file,
        arg_min(source_line, (first_dated_at, source_file, source_line)) AS source_line
    FROM governed_rounds
    GROUP BY gaming_day, table_id, operator_id, filing_no
)
SELECT
    counted.*, filed.filing_id, filed.jurisdiction, filed.approved_on, filed.licence_ref, filed.licence_from,
    filed.licence_to, filed.source_file AS filing_file
FROM counted
LEFT JOIN filings AS filed ON filed.filing_no = counted.filing_no
