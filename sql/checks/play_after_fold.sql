-- check: play_after_fold
-- title: Play wager taken from a player who folded
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: fold
-- citation: 58 Pa. Code § 649a.11
-- question: Which accepted play wagers belong to a participant whom the log says to have folded?
-- examines: round_sorts by wagers where kind = 'play' and status = 'accepted'
-- subject: accepted play wagers
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where has_play and decision = 'fold'
-- means: The log says that the player folded, and it also holds an accepted play wager of theirs.
-- matters: Both cannot be. Until it is known which, the ante, the play and whatever a fold forfeits cannot be settled.
-- do: Look at the recording and at the player's client log. Have the round told again with the decision that was made.

SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, p.hand_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'Play of ' || money(s.stake, s.currency) || ' was accepted from player ' || coalesce(s.player_id, 'without id')
        || ', whom the log says to have folded; a fold makes no play wager ({filing}: {rule}), and until it is known which holds, '
        || 'the ante, the play and what a fold forfeits cannot be settled.' AS message
FROM settlements AS s
JOIN current_participants AS p ON p.participant_key = s.participant_key
WHERE s.kind = 'play' AND s.status = 'accepted' AND s.settlement_reason IS DISTINCT FROM 'conflicting_round' AND p.decision = 'fold'
