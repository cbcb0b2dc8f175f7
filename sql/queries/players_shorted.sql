-- query: players_shorted
-- subject: players
-- question: Who was paid too little by the studio, or credited too little by the wallet, and how much of it was paid back?
-- param day (date, optional): one gaming day
-- param operator (text, optional): one operator's players
-- example: resettle ask players_shorted --lake lake

-- paid_too_little adds up to what the report says was paid too little; what the wallet then moved short of that is beside it. A remedy counts
-- where it was recorded or booked.
SELECT
    operator_id,
    player_id,
    currency,
    sum(findings) AS findings,
    coalesce(sum(owed) FILTER (incident_id IS NOT NULL), 0) AS paid_too_little,
    coalesce(sum(owed) FILTER (incident_id IS NULL), 0) AS credited_too_little,
    sum(paid) AS paid_back,
    sum(open) AS still_open,
    min(gaming_day) AS first_day,
    max(gaming_day) AS last_day
FROM remedy_status
WHERE gaming_day IS NOT NULL AND ($day IS NULL OR gaming_day = $day) AND ($operator IS NULL OR operator_id = $operator)
GROUP BY operator_id, player_id, currency
ORDER BY still_open DESC, paid_too_little DESC, operator_id, player_id, currency
