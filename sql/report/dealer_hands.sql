-- Turned dealer hands beside what the players held, and the qualifier that was filed for the table.
WITH qualifiers AS (
    SELECT DISTINCT wager.studio_id, wager.gaming_day, wager.table_id, filings.qualifier
    FROM settlements AS wager
    JOIN filings USING (filing_fingerprint)
    WHERE wager.play_mode = 'real'
)
SELECT studio_id, qualifier, player_cards, dealer_cards, count(*) AS rounds
FROM dealt_rounds
JOIN qualifiers USING (studio_id, gaming_day, table_id)
WHERE dealer_cards IS NOT NULL
GROUP BY ALL
