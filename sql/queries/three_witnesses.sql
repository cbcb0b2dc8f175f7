-- query: three_witnesses
-- subject: wallet
-- question: What was due, what does the studio say it paid, and what did the wallet move, per operator and currency?
-- param day (date, optional): one gaming day
-- example: resettle ask three_witnesses --lake lake

FROM three_way
WHERE $day IS NULL OR gaming_day = $day
ORDER BY ALL
