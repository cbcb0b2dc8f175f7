-- view: licence_told
-- title: What the licence says of the filings that governed rounds of the day
-- reach: day

-- A row a filing and verdict. Days of the catalogue are calendar days of its own zone, so the first and the last round under the filing
-- decide; a verdict without days holds on all.
WITH used AS (
    SELECT
        filing_no, any_value(gaming_day) AS gaming_day, min(first_dated_at) AS first_dated_at, max(last_dated_at) AS last_dated_at,
        min(play_mode) AS play_mode, any_value(filing_id) AS filing_id, any_value(filing_file) AS source_file,
        string_agg(DISTINCT table_id, ', ' ORDER BY table_id) AS tables
    FROM governed_tables
    GROUP BY filing_no
)
SELECT used.*, verdict.check_id, verdict.kind, verdict.key, verdict.message, verdict.citation
FROM used
JOIN filed_licence AS verdict ON verdict.filing_no = used.filing_no
WHERE coalesce(CAST(used.last_dated_at AT TIME ZONE verdict.timezone AS DATE) >= verdict.valid_from, true)
    AND coalesce(CAST(used.first_dated_at AT TIME ZONE verdict.timezone AS DATE) <= verdict.valid_to, true)
