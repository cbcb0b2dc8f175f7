-- check: missing_play
-- title: Claimed play, but no play wager
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: fold
-- citation: 58 Pa. Code § 649a.11
-- question: Which antes belong to a participant whom the log says to have played, and who made no play wager?
-- examines: round_sorts by wagers where kind = 'ante' and status = 'accepted' and settlement in ('settled', 'unsettleable')
-- subject: antes of settled rounds
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where ante_judged and not has_play and decision = 'play'
-- means: The log says that the player played, and there is no accepted play wager of theirs. The ante is settled as a fold.
-- matters: Either the wager was lost on its way, and the player was treated as folded against their will, or the decision was booked
--   without money behind it.
-- do: Look for the play in the wallet. If it was debited, the round must be told again and settled with it; if it was refused for lack of
--   funds, the decision should read fold.

SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, p.hand_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'Player ' || coalesce(s.player_id, 'without id') || ' is said to have played on an ante of ' || money(s.stake, s.currency)
        || ', but no play wager of theirs was accepted; an ante without a play is folded ({filing}: {rule}), and it is settled as a fold.' AS message
FROM participant_stakes AS a
JOIN current_participants AS p ON p.participant_key = a.participant_key
JOIN settlements AS s ON s.wager_key = a.standing_ante_key
WHERE a.play_staked IS NULL AND p.decision = 'play'
