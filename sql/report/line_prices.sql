-- The prices of each paytable line under the filings that a night's wagers were settled by.
SELECT wager.studio_id, line.kind, line.line, string_agg(DISTINCT line.odds, ' or ' ORDER BY line.odds) AS odds
FROM (SELECT DISTINCT studio_id, filing_fingerprint FROM settlements WHERE play_mode = 'real') AS wager
JOIN filed_lines AS line USING (filing_fingerprint)
WHERE line.kind NOT IN ('ante', 'play')
GROUP BY ALL
