-- query: open_stakes
-- subject: the night
-- question: Which rounds are still open or interrupted, and what is staked in them?
-- param studio (text, optional): one studio
-- example: resettle ask open_stakes --lake lake

FROM open_rounds
WHERE $studio IS NULL OR studio_id = $studio
ORDER BY dated_at, studio_id, round_id, currency
