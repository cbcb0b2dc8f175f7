-- check: missing_decision
-- title: Ante without a decision
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: fold
-- citation: 58 Pa. Code § 649a.11
-- question: For which antes of settled rounds does the log not say whether the player played or folded?
-- examines: round_sorts by wagers where kind = 'ante' and status = 'accepted' and settlement in ('settled', 'unsettleable')
-- subject: antes of settled rounds
-- unless: round_key IN (SELECT round_key FROM current_rounds WHERE list_contains(feed_lacks, 'decision')) — the feed gives no decisions
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where ante_judged and decision is null
-- means: An ante stands in a settled round, and the log does not say whether its player played or folded. It is settled by the wagers that
--   are there.
-- matters: Without the decision nothing shows who folded a hand: the player, the clock, or a lost connection.
-- do: Ask for the round's decisions. If they are missing for one operator's players only, its link to the table drops them.

SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, p.hand_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'No decision is logged for player ' || coalesce(s.player_id, 'without id') || ', who held an ante of ' || money(s.stake, s.currency)
        || '; every ante is played or folded ({filing}: {rule}), and by the wagers it was '
        || CASE WHEN a.play_staked IS NULL THEN 'folded.' ELSE 'played.' END AS message
FROM participant_stakes AS a
JOIN current_participants AS p ON p.participant_key = a.participant_key
JOIN settlements AS s ON s.wager_key = a.standing_ante_key
WHERE p.decision IS NULL
    AND s.round_key NOT IN (SELECT round_key FROM current_rounds WHERE list_contains(feed_lacks, 'decision'))
