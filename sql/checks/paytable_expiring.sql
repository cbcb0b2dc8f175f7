-- check: paytable_expiring
-- title: A filed paytable's licence ends within 90 days
-- severity: info
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day rest on a chapter that ends within 90 days?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day rests on a chapter of the regulation that ends within 90 days.
-- matters: A new filing takes time to be approved. Without one the tables stand still on the last day, or run without a licence.
-- do: Prepare the filing that is to follow, and note the day from which it must be in force.

-- Days of the catalogue are calendar days of its own zone, so the first and the last round under the filing decide.
WITH used AS (
    SELECT
        filing_no, any_value(gaming_day) AS gaming_day, min(first_dated_at) AS first_dated_at, max(last_dated_at) AS last_dated_at,
        min(play_mode) AS play_mode, any_value(filing_id) AS filing_id, any_value(filing_file) AS source_file,
        string_agg(DISTINCT table_id, ', ' ORDER BY table_id) AS tables
    FROM governed_tables
    GROUP BY filing_no
)
SELECT
    used.gaming_day, used.filing_no, used.play_mode, any_value(used.filing_id) || ' ' || verdict.kind AS detail,
    string_agg(DISTINCT verdict.citation, ', ' ORDER BY verdict.citation) AS citation,
    string_agg(verdict.key, ', ' ORDER BY verdict.key) AS filing_key,
    any_value(used.source_file) AS source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, whose licence ends within 90 days: {} ({}).', used.tables, used.gaming_day,
        string_agg(verdict.message, '; ' ORDER BY verdict.key), string_agg(DISTINCT verdict.citation, ', ' ORDER BY verdict.citation)
    ) AS message
FROM used
JOIN filed_licence AS verdict ON verdict.filing_no = used.filing_no
WHERE verdict.check_id = 'paytable_expiring'
    AND (verdict.valid_from IS NULL OR CAST(used.last_dated_at AT TIME ZONE verdict.timezone AS DATE) >= verdict.valid_from)
    AND (verdict.valid_to IS NULL OR CAST(used.first_dated_at AT TIME ZONE verdict.timezone AS DATE) <= verdict.valid_to)
GROUP BY used.gaming_day, used.filing_no, used.play_mode, used.tables, verdict.kind
