-- query: round_findings
-- subject: rounds
-- question: What was found wrong with a round?
-- param round (text): the round
-- param studio (text, optional): its studio, where two studios use the id
-- example: resettle ask round_findings --lake lake --param round=TCP-02-0000050

SELECT
    studio_id, severity, check_id, wager_id, player_id, currency, expected AS due, paid, delta, message, citation, source_file, source_line,
    finding_id
FROM findings
WHERE round_id = $round AND ($studio IS NULL OR studio_id = $studio)
ORDER BY studio_id, severity_rank(severity), check_id, wager_id, finding_id
