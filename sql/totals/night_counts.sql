-- Rounds by status and findings by check and severity of a gaming day: what later nights are held against without reading its rows again.
SELECT studio_id, gaming_day, 'rounds' AS what, status AS name, CAST(NULL AS VARCHAR) AS severity, count(*) AS number
FROM rounds
WHERE is_current
GROUP BY ALL
UNION ALL
SELECT studio_id, gaming_day, 'findings', check_id, severity, count(*)
FROM findings
GROUP BY ALL
ORDER BY ALL
