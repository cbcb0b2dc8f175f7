-- query: round_story
-- subject: rounds
-- question: What happened in a round, event by event, in the order of time?
-- param round (text): the round
-- param studio (text, optional): its studio, where two studios use the id
-- example: resettle ask round_story --lake lake --param round=TCP-02-0000050

SELECT studio_id, table_id, happened_at, event, hand_id, operator_id, player_id, what, source_file, source_line
FROM round_timeline
WHERE round_id = $round AND ($studio IS NULL OR studio_id = $studio)
ORDER BY studio_id, happened_at, event, hand_id, operator_id, player_id, what
