-- check: duplicate_wager
-- title: The same wager twice
-- severity: critical
-- family: wager rules
-- reach: round
-- filing_key: stakes_may_be_added
-- citation: 58 Pa. Code § 649a.7
-- question: Which wagers repeat a wager id of their round, or a kind of their participant where stakes may not be added?
-- examines: round_sorts by wagers
-- subject: wagers
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where may_repeat
-- suspects: round_sorts where id_repeated
-- means: A wager id stands twice in its round, or one participant has two wagers of one kind where the filing does not let stakes be added.
--   It is raised on the later one.
-- matters: A message that was sent twice and booked twice takes a stake twice or pays a win twice.
-- do: Compare with the wallet. If there was one debit, have the second wager withdrawn from the log; if there were two, refund one.

-- A kind counts as staked twice only among wagers that were made: one tried again after a rejection or a cancellation is no duplicate.
WITH made AS (
    SELECT participant_key, wager_key, kind, placed_at, filing_no
    FROM settled_wagers
    SEMI JOIN (FROM participant_stakes WHERE may_repeat) AS those USING (participant_key)
    WHERE (status = 'accepted' OR settlement = 'voided') AND settlement_reason IS DISTINCT FROM 'conflicting_round'
),
later AS (
    SELECT m.wager_key
    FROM made AS m
    LEFT JOIN filings AS f ON f.filing_no = m.filing_no
    WHERE NOT coalesce(f.stakes_may_be_added, false)
    QUALIFY row_number() OVER (PARTITION BY m.participant_key, m.kind ORDER BY m.placed_at NULLS LAST, m.wager_key) > 1
),
repeated AS (
    SELECT wager_key FROM settled_wagers WHERE id_repeated AND settlement_reason IS DISTINCT FROM 'conflicting_round'
    UNION
    SELECT wager_key FROM later
)
SELECT
    w.table_id, w.round_id, w.round_key, w.wager_id, w.hand_id, w.operator_id, w.player_id, w.currency, w.kind, w.play_mode, w.filing_no,
    w.source_file, w.source_line,
    kind_in_words(w.kind) || ' of ' || money(w.stake, w.currency)
        || CASE WHEN w.id_repeated THEN ' repeats the wager id ' || regexp_replace(w.wager_id, '#\d+$', '') || ' of its round'
                ELSE ' is a second wager of its kind by player ' || coalesce(w.player_id, 'without id') || ' on that hand' END
        || ' ({filing}: {rule}): one was due, and each is settled on its own stake.' AS message
FROM repeated AS r
JOIN settled_wagers AS w ON w.wager_key = r.wager_key
