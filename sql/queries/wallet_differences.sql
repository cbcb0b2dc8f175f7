-- query: wallet_differences
-- subject: wallet
-- question: Where did the wallet move something else than the studio reported?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator
-- example: resettle ask wallet_differences --lake lake

SELECT
    studio_id, gaming_day, table_id, round_id, operator_id, player_id, currency, status, due, staked, reported, debited, credited, cancelled, adjusted,
    stake_difference, paid_difference, difference
FROM reconciliation
WHERE check_id IS NOT NULL AND ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
ORDER BY studio_id, gaming_day, operator_id, abs(difference) DESC, round_id, player_id, currency
