-- query: filed_prices
-- subject: filings
-- question: What was filed for a table: each wager, each line and its price, and whether a fold forfeits it?
-- param table (text): the table
-- param day (date, optional): only filings in force on this gaming day
-- example: resettle ask filed_prices --lake lake --param table=TCP-03 --param day=2026-10-31

SELECT
    filed.filing_id, filed.revision, filed.operators, filed.effective_from, filed.effective_to, wager.kind, wager.judged_on,
    wager.forfeited_by_fold, line.line, line.odds
FROM filings AS filed
JOIN filed_wagers AS wager USING (filing_fingerprint)
LEFT JOIN filed_lines AS line ON line.filing_fingerprint = filed.filing_fingerprint AND line.kind = wager.kind
WHERE
    list_contains(filed.tables, $table)
    AND ($day IS NULL OR (filed.effective_from <= $day AND coalesce(filed.effective_to >= $day, true)))
ORDER BY filed.filing_id, filed.revision, wager.kind, line.line
