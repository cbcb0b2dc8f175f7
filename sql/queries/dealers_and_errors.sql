-- query: dealers_and_errors
-- subject: dealers
-- question: With which dealers were wagers paid wrongly, how often, and by how much?
-- param studio (text, optional): one studio
-- param day (date, optional): one gaming day
-- example: resettle ask dealers_and_errors --lake lake

-- Payment is the table software's work as a rule: a dealer stands here for what was wrong while they dealt.
SELECT
    studio_id,
    dealer_id,
    currency,
    count(DISTINCT gaming_day) AS days,
    CAST(sum(rounds) AS BIGINT) AS rounds,
    CAST(sum(wagers) AS BIGINT) AS wagers,
    CAST(sum(wrong_wagers) AS BIGINT) AS wrong_wagers,
    CAST(100 * sum(wrong_wagers) / sum(wagers) AS DECIMAL(9, 4)) AS wrong_percent,
    sum(delta) AS delta
FROM dealer_totals
WHERE ($studio IS NULL OR studio_id = $studio) AND ($day IS NULL OR gaming_day = $day)
GROUP BY studio_id, dealer_id, currency
ORDER BY wrong_percent DESC, studio_id, dealer_id, currency
