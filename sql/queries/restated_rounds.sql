-- query: restated_rounds
-- subject: the night
-- question: Which rounds were told again in another way, and what changed?
-- param day (date, optional): one gaming day
-- example: resettle ask restated_rounds --lake lake

SELECT
    found.studio_id,
    found.gaming_day,
    found.table_id,
    found.round_id,
    found.check_id,
    found.severity,
    (
        SELECT count(*)
        FROM rounds AS told
        WHERE told.studio_id = found.studio_id AND told.gaming_day = found.gaming_day AND told.round_id = found.round_id
    ) AS tellings,
    found.message,
    found.source_file,
    found.source_line
FROM findings AS found
WHERE found.check_id IN ('round_restated', 'conflicting_round') AND ($day IS NULL OR found.gaming_day = $day)
ORDER BY found.studio_id, found.gaming_day, found.table_id, found.round_id, found.check_id, found.source_line
