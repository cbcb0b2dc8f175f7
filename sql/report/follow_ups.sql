-- How the findings of a run stand: how many of each status. A finding of nobody's concern yet is open.
SELECT status, count(*) AS findings
FROM finding_status
WHERE stands AND severity <> 'info'
GROUP BY status
ORDER BY list_position(['reopened', 'disputed', 'open', 'assigned', 'accepted', 'closed'], status)
