-- check: missing_decision
-- title: Ante without a decision
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: fold
-- citation: 58 Pa. Code § 649a.11
-- question: For which antes of settled rounds does the log not say whether the player played or folded?
-- examines: settlements where kind = 'ante' and status = 'accepted' and settlement in ('settled', 'unsettleable')
-- subject: antes of settled rounds
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways

SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, p.hand_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'No decision is logged for player ' || coalesce(s.player_id, 'without id') || ', who held an ante of ' || money(s.stake, s.currency)
        || '; every ante is played or folded ({filing}: {rule}), and by the wagers it was '
        || CASE WHEN a.play_staked IS NULL THEN 'folded.' ELSE 'played.' END AS message
FROM antes_and_plays AS a
JOIN current_participants AS p ON p.participant_key = a.participant_key
JOIN settlements AS s ON s.wager_key = a.standing_ante_key
WHERE p.decision IS NULL
