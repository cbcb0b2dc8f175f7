-- Current rounds by status.
SELECT status, count(*) AS rounds
FROM rounds
WHERE is_current
GROUP BY ALL
ORDER BY rounds DESC, status
