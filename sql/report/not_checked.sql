-- What was not checked, wholly or in part, and why.
SELECT
    check_id,
    reason,
    count(DISTINCT (studio_id, gaming_day, table_id)) AS tables,
    CAST(sum(examined) AS BIGINT) AS examined,
    CAST(sum(not_examined) AS BIGINT) AS not_examined
FROM coverage
WHERE reason IS NOT NULL
GROUP BY check_id, reason
ORDER BY sum(examined) = 0 DESC, reason, check_id
