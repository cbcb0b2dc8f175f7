-- The studios and gaming days of the report.
SELECT studio_id, gaming_day, count(DISTINCT table_id) AS tables, count(*) AS rounds
FROM rounds
WHERE is_current
GROUP BY ALL
ORDER BY ALL
