-- query: players_shorted
-- subject: players
-- question: Who was paid too little, by how much, and how much of it was paid back?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator's players
-- example: resettle ask players_shorted --lake lake

-- Owed by what the studio paid and by what the wallet moved; a remedy counts where it was recorded or booked.
SELECT
    operator_id,
    player_id,
    currency,
    count(*) AS findings,
    sum(owed) AS owed,
    sum(paid) AS paid_back,
    sum(open) AS still_open,
    min(gaming_day) AS first_day,
    max(gaming_day) AS last_day
FROM remedy_status
WHERE check_id IS NOT NULL AND ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
GROUP BY operator_id, player_id, currency
ORDER BY still_open DESC, owed DESC, operator_id, player_id, currency
