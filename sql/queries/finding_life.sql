-- query: finding_life
-- subject: findings
-- question: What was done about a finding, by whom and when?
-- param finding (text): the finding's id, or its beginning
-- example: resettle ask finding_life --lake lake --param finding=efc94a2c9536

SELECT finding_id, place, recorded_at, recorded_by, action, status, assignee, note, check_id, studio_id, gaming_day, stands
FROM finding_history
WHERE starts_with(finding_id, $finding)
ORDER BY finding_id, place
