-- check: play_without_ante
-- title: Play wager without an ante
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: play
-- citation: 58 Pa. Code § 649a.11
-- question: Which accepted play wagers stand beside no ante of the same participant?
-- examines: round_sorts by wagers where kind = 'play' and status = 'accepted'
-- subject: accepted play wagers
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where has_play and not has_ante
-- means: A play wager was accepted from a participant who placed no ante on that hand.
-- matters: A play is made on an ante, and without one the rules say nothing about what it is due. The wager is left unsettled.
-- do: Look whether the ante was rejected, cancelled or booked under another session of the same player. Return the play if there never was
--   one.

SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'Play of ' || money(s.stake, s.currency) || ' was taken from player ' || coalesce(s.player_id, 'without id')
        || ', who held no ante on that hand; a play wager is made on an ante ({filing}: {rule}), and without one nothing can be settled.' AS message
FROM participant_stakes AS a
JOIN settlements AS s ON s.participant_key = a.participant_key
WHERE a.ante_key IS NULL AND s.kind = 'play' AND s.status = 'accepted' AND s.settlement_reason IS DISTINCT FROM 'conflicting_round'
