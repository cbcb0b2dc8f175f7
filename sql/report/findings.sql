-- Findings by check and severity, gravest first.
SELECT check_id, severity, count(*) AS findings
FROM findings
GROUP BY check_id, severity
ORDER BY severity_rank(severity), findings DESC, check_id
