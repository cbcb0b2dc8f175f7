-- The ten largest incidents: the systematic ones first, then by how many findings they hold.
SELECT incident_id, extent, gaming_day, table_id, root_cause, hits, opportunities, first_round_id, last_round_id, message, money
FROM incidents
ORDER BY list_position(['systematic', 'unexplained', 'isolated'], extent), hits DESC, gaming_day, studio_id, incident_id
LIMIT 10
