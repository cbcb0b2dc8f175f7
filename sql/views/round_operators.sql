-- view: round_operators
-- title: How many took part in a round for each operator, and how many of them in test mode
-- reach: round

-- One row a current round and operator; a round that nobody took part in has none.
SELECT round_key, operator_id, any_value(table_id) AS table_id, count(*) AS participants, count(*) FILTER (play_mode = 'test') AS testing
FROM current_participants
GROUP BY round_key, operator_id
