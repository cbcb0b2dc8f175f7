-- check: approval_not_evidenced
-- title: An approval or licence is not evidenced
-- severity: info
-- family: filing
-- reach: day
-- citation: 58 Pa. Code §§ 816a.1, 816a.2
-- question: Which filings that governed rounds of the day do not show an approval or the studio licence?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- means: The filing does not show one or more of its evidences: the day and reference of its approval, of the simulcast and the location,
--   or the studio's licence.
-- matters: The approval may well exist. An audit cannot confirm what it is not shown, and an inspector will ask for it.
-- do: Enter what is missing in the filing. The sentence lists the keys.

WITH evidence AS (
    SELECT
        filing_no,
        filing_id,
        source_file,
        list_filter(
            [
                CASE WHEN approved_on IS NULL THEN 'approved_on' END,
                CASE WHEN approval_ref IS NULL THEN 'approval_ref' END,
                CASE WHEN simulcast_approval_ref IS NULL THEN 'simulcast_approval_ref' END,
                CASE WHEN location_approval_ref IS NULL THEN 'location_approval_ref' END,
                CASE WHEN licence_ref IS NULL THEN 'studio_licence.ref' END,
                CASE WHEN licence_from IS NULL THEN 'studio_licence.valid_from' END,
                CASE WHEN licence_to IS NULL THEN 'studio_licence.valid_to' END
            ],
            lambda missing: missing IS NOT NULL
        ) AS missing
    FROM filings
),
used AS (
    SELECT
        filing_no, any_value(gaming_day) AS gaming_day, string_agg(DISTINCT table_id, ', ' ORDER BY table_id) AS tables
    FROM governed_tables
    GROUP BY filing_no
)
SELECT
    used.gaming_day, used.filing_no, evidence.source_file, evidence.filing_id AS detail,
    list_aggregate(evidence.missing, 'string_agg', ', ') AS filing_key,
    format(
        'Table {} ran on gaming day {} under {{filing}}, which does not show {}.', used.tables, used.gaming_day,
        list_aggregate(evidence.missing, 'string_agg', ', ')
    ) AS message
FROM used
JOIN evidence ON evidence.filing_no = used.filing_no
WHERE len(evidence.missing) > 0
