-- query: voids
-- subject: voids
-- question: Which rounds were voided, why, by whom, was the dealer's hand turned already, and what went back?
-- param day (date, optional): one gaming day
-- param by (text, optional): one person who allowed them
-- example: resettle ask voids --lake lake --param by=PIT-1

SELECT
    studio_id, gaming_day, table_id, round_id, scope, reason, authorised_by, dealer_id, voided_at, after_reveal, currency, wagers, staked, due,
    handed_back, delta
FROM void_review
WHERE ($day IS NULL OR gaming_day = $day) AND ($by IS NULL OR authorised_by = $by)
ORDER BY studio_id, gaming_day, table_id, round_id, currency
