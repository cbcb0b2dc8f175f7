-- query: players_overpaid
-- subject: players
-- question: Who was paid too much, by how much, and on how many wagers?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator's players
-- param most (number, 50): how many players at most
-- example: resettle ask players_overpaid --lake lake --param most=10

SELECT
    operator_id,
    player_id,
    currency,
    count(*) AS wagers,
    count(DISTINCT (studio_id, round_id)) AS rounds,
    sum(delta) AS overpaid,
    list(DISTINCT kind ORDER BY kind) AS kinds,
    list(DISTINCT table_id ORDER BY table_id) AS tables
FROM settlements
WHERE
    play_mode = 'real' AND delta > 0 AND ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
GROUP BY operator_id, player_id, currency
ORDER BY overpaid DESC, operator_id, player_id, currency
LIMIT $most
