-- query: pair_plus_after_fold
-- subject: money
-- question: Which Pair Plus wagers were paid although the player had folded, under which filing?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- example: resettle ask pair_plus_after_fold --lake lake

SELECT
    studio_id, gaming_day, table_id, round_id, wager_id, operator_id, player_id, currency, expected AS due, paid, delta, citation, message,
    source_file, source_line
FROM findings
WHERE check_id = 'pair_plus_paid_after_fold' AND ($day IS NULL OR gaming_day = $day) AND ($table IS NULL OR table_id = $table)
ORDER BY studio_id, gaming_day, table_id, round_id, wager_id
