-- query: findings_to_do
-- subject: findings
-- question: What is still to be done: findings that nobody closed, by how they stand and to whom they are assigned?
-- param day (date, optional): one gaming day
-- param assignee (text, optional): one person's
-- example: resettle ask findings_to_do --lake lake

SELECT status, assignee, severity, check_id, currency, count(*) AS findings, min(gaming_day) AS oldest_day, sum(delta) AS delta
FROM finding_status
WHERE
    stands AND status <> 'closed' AND severity <> 'info'
    AND ($day IS NULL OR gaming_day = $day) AND ($assignee IS NULL OR assignee = $assignee)
GROUP BY status, assignee, severity, check_id, currency
ORDER BY status, assignee, severity_rank(severity), check_id, currency
