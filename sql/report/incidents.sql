-- The ten largest incidents: the systematic ones first, then by how many findings they hold; each with the rule and the place of the first
-- finding that it explains.
WITH largest AS (
    SELECT *
    FROM incidents
    ORDER BY list_position(['systematic', 'unexplained', 'isolated'], extent), hits DESC, gaming_day, studio_id, incident_id
    LIMIT 10
)
SELECT
    incident_id, extent, gaming_day, table_id, root_cause, hits, opportunities, first_round_id, last_round_id, message, money,
    first.citation, first.source_file, first.source_line
FROM largest
LEFT JOIN LATERAL (
    SELECT citation, source_file, source_line
    FROM findings
    WHERE
        findings.studio_id = largest.studio_id AND findings.gaming_day = largest.gaming_day
        AND findings.table_id = largest.table_id AND findings.round_id = largest.first_round_id AND findings.root_cause = largest.root_cause
    ORDER BY source_file, source_line, finding_id
    LIMIT 1
) AS first ON true
ORDER BY list_position(['systematic', 'unexplained', 'isolated'], extent), hits DESC, gaming_day, studio_id, incident_id
