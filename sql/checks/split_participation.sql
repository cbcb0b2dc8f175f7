-- check: split_participation
-- title: Side wager split off from the ante to escape a fold
-- severity: medium
-- family: wager rules
-- reach: round
-- filing_key: {kind}.forfeited_by_fold
-- citation: 58 Pa. Code § 649a.11(b)(1)
-- question: Which side wagers that a fold forfeits does a player hold on a hand without an ante, while holding an ante on it as another participant?
-- examines: round_sorts by wagers where kind not in ('ante', 'play') and (status = 'accepted' or settlement = 'voided')
-- subject: side wagers
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where has_side_wager and not has_ante
-- means: A player holds an ante on a hand in one session and, in another session on the same hand, a side wager without an ante that a fold
--   would have forfeited.
-- matters: Split in two, the player can fold the ante and keep the side wager, which the filing takes away from everyone else.
-- do: Look whether one person uses two sessions on purpose and how often. Have sessions of one player on one hand merged, or refused.

WITH alone AS (
    SELECT person.participant_key, person.hand_key, person.operator_id, person.player_id
    FROM (FROM seats WHERE has_side_wager AND NOT has_ante) AS seat
    JOIN current_participants AS person ON person.participant_key = seat.participant_key
),
split AS (
    SELECT DISTINCT alone.participant_key
    FROM alone
    JOIN current_participants AS elsewhere
        ON elsewhere.hand_key = alone.hand_key AND elsewhere.player_id = alone.player_id
        AND elsewhere.operator_id IS NOT DISTINCT FROM alone.operator_id
    JOIN (FROM seats WHERE has_ante) AS seat ON seat.participant_key = elsewhere.participant_key
)
SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    kind_in_words(s.kind) || ' of ' || money(s.stake, s.currency) || ' stands alone, while player ' || s.player_id
        || ' holds an ante on the same hand in another session; a fold of that ante would forfeit it ({filing}: {rule}), '
        || 'so it was due beside the ante.' AS message
FROM split
JOIN settlements AS s ON s.participant_key = split.participant_key
JOIN filed_wagers AS w ON w.filing_no = s.filing_no AND w.kind = s.kind AND w.forfeited_by_fold
WHERE s.kind NOT IN ('ante', 'play') AND (s.status = 'accepted' OR s.settlement = 'voided')
    AND s.settlement_reason IS DISTINCT FROM 'conflicting_round'
