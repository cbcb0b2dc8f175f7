-- query: timeouts_with_a_pair
-- subject: players
-- question: Who was folded by a time-out or a lost connection with a pair or better, and what did it cost them?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator's players
-- example: resettle ask timeouts_with_a_pair --lake lake

FROM timeout_harm
WHERE ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
ORDER BY decided_at, studio_id, round_id, operator_id, player_id
