-- check: engine_disagreement
-- title: The two engines disagree on what is due
-- severity: critical
-- family: money
-- reach: round
-- question: On which wagers do the two engines not agree to the last digit?
-- examines: settlements
-- subject: wagers

WITH differing AS (
    SELECT
        wager_key,
        string_agg(
            replace("column", '_', ' ') || ' ' || coalesce(ours, 'nothing') || ' against ' || coalesce(twin, 'nothing'), ', ' ORDER BY "column"
        ) AS told
    FROM disagreements
    GROUP BY wager_key
)
SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'The two engines differ on ' || kind_in_words(s.kind) || ' of ' || money(s.stake, s.currency) || ' (' || d.told
        || '; {filing}): what was due cannot be told, and the run is not to be trusted.' AS message
FROM settlements AS s
JOIN differing AS d ON d.wager_key = s.wager_key
WHERE s.settlement_reason = 'engine_disagreement'
