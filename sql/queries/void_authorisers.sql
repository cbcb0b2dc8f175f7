-- query: void_authorisers
-- subject: voids
-- question: Who allows voids, how often, how often after the reveal or without a reason, and how much was staked in them?
-- param studio (text, optional): one studio
-- example: resettle ask void_authorisers --lake lake

FROM void_by_authoriser
WHERE $studio IS NULL OR studio_id = $studio
ORDER BY voids DESC, studio_id, authorised_by, currency
