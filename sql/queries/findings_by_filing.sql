-- query: findings_by_filing
-- subject: findings
-- question: Under which filing was what found?
-- param filing (text, optional): one filing's id
-- param day (date, optional): one gaming day
-- example: resettle ask findings_by_filing --lake lake --param filing=keystone-main-2026

SELECT
    coalesce(filed.filing_id, 'no filing named') AS filing_id,
    filed.revision,
    found.severity,
    found.check_id,
    found.currency,
    count(*) AS findings,
    sum(found.delta) AS delta
FROM findings AS found
LEFT JOIN filings AS filed USING (filing_fingerprint)
WHERE ($filing IS NULL OR filed.filing_id = $filing) AND ($day IS NULL OR found.gaming_day = $day)
GROUP BY filed.filing_id, filed.revision, found.severity, found.check_id, found.currency
ORDER BY
    filed.filing_id NULLS LAST, filed.revision, severity_rank(found.severity), found.check_id,
    found.currency
