-- The rounds with findings of an incident.
SELECT DISTINCT r.studio_id, r.gaming_day, r.round_id
FROM findings AS f
JOIN rounds AS r ON r.is_current AND r.studio_id = f.studio_id AND r.gaming_day = f.gaming_day AND r.round_id = f.round_id
WHERE f.incident_id = ?
