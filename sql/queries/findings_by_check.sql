-- query: findings_by_check
-- subject: findings
-- question: What was found, how often, at how many tables, and what is it worth?
-- param day (date, optional): one gaming day
-- param severity (text, optional): critical, high, medium or info
-- example: resettle ask findings_by_check --lake lake --param severity=critical

SELECT
    severity,
    check_id,
    currency,
    count(*) AS findings,
    count(DISTINCT (studio_id, table_id)) AS tables,
    count(DISTINCT (studio_id, round_id)) AS rounds,
    sum(delta) FILTER (delta > 0) AS overpaid,
    -sum(delta) FILTER (delta < 0) AS underpaid
FROM findings
WHERE ($day IS NULL OR gaming_day = $day) AND ($severity IS NULL OR severity = $severity)
GROUP BY severity, check_id, currency
ORDER BY severity_rank(severity), findings DESC, check_id, currency
