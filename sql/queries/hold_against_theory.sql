-- query: hold_against_theory
-- subject: money
-- question: How much did each wager kind hold, beside what it holds in theory?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- example: resettle ask hold_against_theory --lake lake

-- Settled cash stakes. Theory is exact: of ante (with its bonus) and play at optimal play, flat awards taken off, meter awards not.
SELECT
    studio_id,
    table_id,
    operator_id,
    kind,
    currency,
    CAST(sum(wagers) AS BIGINT) AS wagers,
    sum(handle) AS handle,
    sum(hold) AS hold,
    CAST(100 * sum(hold) / nullif(sum(handle), 0) AS DECIMAL(12, 4)) AS hold_percent,
    sum(theoretical_hold) AS theoretical_hold,
    CAST(100 * sum(theoretical_hold) / nullif(sum(handle), 0) AS DECIMAL(12, 4)) AS theoretical_percent,
    sum(hold) - sum(theoretical_hold) AS difference
FROM daily_totals
WHERE
    settlement = 'settled' AND funding = 'cash' AND theoretical_hold IS NOT NULL
    AND ($day IS NULL OR gaming_day = $day) AND ($table IS NULL OR table_id = $table)
GROUP BY studio_id, table_id, operator_id, kind, currency
ORDER BY studio_id, table_id, operator_id, kind, currency
