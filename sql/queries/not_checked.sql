-- query: not_checked
-- subject: the night
-- question: What was not checked, wholly or in part, and why?
-- param day (date, optional): one gaming day
-- param check (text, optional): one check
-- example: resettle ask not_checked --lake lake --param check=bonus_split_mismatch

SELECT studio_id, gaming_day, check_id, table_id, examined, not_examined, reason
FROM coverage
WHERE reason IS NOT NULL AND ($day IS NULL OR gaming_day = $day) AND ($check IS NULL OR check_id = $check)
ORDER BY examined > 0, studio_id, gaming_day, check_id, table_id
