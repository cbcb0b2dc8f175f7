-- view: shown_tables
-- title: How many rounds of the day showed each operator's players something, and what of it differs from their filing
-- reach: day

SELECT
    gaming_day,
    table_id,
    operator_id,
    filing_no,
    CAST(sum(rounds) AS BIGINT) AS rounds,
    CAST(sum(rounds_off) AS BIGINT) AS rounds_off,
    list_sort(list_distinct(flatten(list(differences)))) AS differences,
    arg_min(source_file, first_round_key) AS source_file,
    arg_min(source_line, first_round_key) AS source_line
FROM shown_rounds
GROUP BY gaming_day, table_id, operator_id, filing_no
