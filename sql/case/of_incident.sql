-- The rounds with findings of an incident's cause, from its first round to its last.
WITH bounds AS (
    SELECT min(dated_at) AS first_at, max(dated_at) AS last_at
    FROM rounds
    WHERE is_current AND studio_id = $studio_id AND gaming_day = $gaming_day AND round_id IN ($first_round_id, $last_round_id)
)
SELECT DISTINCT r.studio_id, r.gaming_day, r.round_id
FROM rounds AS r
JOIN bounds ON r.dated_at BETWEEN bounds.first_at AND bounds.last_at
JOIN findings AS f ON f.studio_id = r.studio_id AND f.gaming_day = r.gaming_day AND f.round_id = r.round_id
WHERE r.is_current AND r.studio_id = $studio_id AND r.gaming_day = $gaming_day AND f.root_cause = $root_cause
    AND ($table_id IS NULL OR r.table_id = $table_id)
