-- query: finding_in_full
-- subject: findings
-- question: What does one finding say, and on what does it rest?
-- param finding (text): the finding's id, or its beginning
-- example: resettle ask finding_in_full --lake lake --param finding=efc94a2c9536

SELECT * EXCLUDE (run_id)
FROM findings
WHERE starts_with(finding_id, $finding)
ORDER BY finding_id
