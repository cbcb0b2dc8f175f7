-- check: engine_disagreement
-- title: The two engines disagree on what is due
-- severity: critical
-- family: money
-- reach: round
-- question: On which wagers do the two engines not agree to the last digit?
-- examines: round_sorts by wagers
-- subject: wagers
-- suspects: disagreements
-- means: The two engines that work out what is due came to different results for this wager. The wager is shown as unsettleable, the night
--   is published, and the command ends with 3.
-- matters: Two programs that share no code are the reason to believe a sum. Where they differ, one of them is wrong, and until it is known
--   which, nothing of the night is to be relied on.
-- do: Do not act on the night's findings. Keep the delivery and the filing, and report both with the round's line: the sentence names the
--   columns in which the engines differ.

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
