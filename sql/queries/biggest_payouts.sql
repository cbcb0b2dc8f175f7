-- query: biggest_payouts
-- subject: money
-- question: Which were the biggest payouts in each currency, and were they due?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- param most (number, 10): how many in each currency
-- example: resettle ask biggest_payouts --lake lake --param most=5

SELECT
    currency,
    coalesce(paid, 0) + coalesce(bonus_paid, 0) AS handed_back,
    expected + coalesce(expected_bonus, 0) AS due,
    delta,
    settlement,
    studio_id,
    gaming_day,
    table_id,
    round_id,
    wager_id,
    operator_id,
    player_id,
    kind,
    stake,
    hand_category,
    outcome,
    line,
    odds
FROM settlements
WHERE play_mode = 'real' AND ($day IS NULL OR gaming_day = $day) AND ($table IS NULL OR table_id = $table)
QUALIFY row_number() OVER (PARTITION BY currency ORDER BY handed_back DESC, studio_id, gaming_day, wager_key) <= $most
ORDER BY currency, handed_back DESC, studio_id, gaming_day, wager_key
