-- query: players_in_several_places
-- subject: players
-- question: Which players sat at several tables or in several sessions on one gaming day?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator's players
-- example: resettle ask players_in_several_places --lake lake

SELECT
    gaming_day,
    operator_id,
    player_id,
    list(DISTINCT studio_id || ' ' || table_id ORDER BY studio_id || ' ' || table_id) AS tables,
    count(DISTINCT session_id) AS sessions,
    count(DISTINCT (studio_id, round_id)) AS rounds,
    count(*) - count(DISTINCT (studio_id, round_id)) AS more_seats
FROM participants
WHERE is_current AND ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
GROUP BY gaming_day, operator_id, player_id
HAVING len(tables) > 1 OR sessions > 1
ORDER BY len(tables) DESC, sessions DESC, gaming_day, operator_id, player_id
