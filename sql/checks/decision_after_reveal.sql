-- check: decision_after_reveal
-- title: A decision was taken after the dealer's hand was turned
-- severity: critical
-- family: control
-- reach: round
-- filing_key: dealer_cards_read
-- citation: 58 Pa. Code § 816a.1
-- question: Which decisions (the later of decided_at and the play's placed_at) came at or after the reveal? A fold by time-out is never late.
-- examines: seats where decision_wager_key is not null
-- subject: participants with an ante or a play
-- unless: revealed_at is null — the reveal is not timed: no dealer_revealed_at, and no dealer card read that the filing calls the reveal
-- unless: decided_at is null and play_placed_at is null — the log does not say when it was decided
-- suspects: seats where decided_at >= revealed_at or play_placed_at >= revealed_at
-- means: A play or a fold was decided at the moment when the dealer's hand was turned, or later. The later of the decision's time and the
--   play wager's counts, as they are written; a fold by time-out is never late.
-- matters: With the dealer's hand in sight, playing and folding are no gamble. No paytable is made for that.
-- do: See how the times arise, the table's and the player's. If they are right, look at all late decisions of the player and of the dealer,
--   and withhold the winnings by the house's procedure until it is clear.

WITH late AS (
    SELECT *
    FROM decisions
    WHERE NOT (play_wager_key IS NULL AND decided_by IS NOT DISTINCT FROM 'timeout')
        AND (
            decided_at >= revealed_at
            OR play_placed_at >= revealed_at
        )
),
digits AS (
    SELECT participant_key, arg_max(placed_at_digits, (placed_at, -placed_at_digits)) AS play_placed_at_digits
    FROM settled_wagers SEMI JOIN late USING (participant_key)
    WHERE kind = 'play' AND status <> 'rejected'
    GROUP BY participant_key
)
SELECT
    late.table_id, late.round_id, late.round_key, decided.wager_id, late.hand_id, late.operator_id, late.player_id, late.currency,
    decided.filing_no, late.play_mode, late.source_file, late.source_line,
    format(
        '{} at {}, when the dealer''s hand was being turned from {} on: the decision was due before the reveal ({{filing}}: {{rule}}).',
        CASE WHEN play_wager_key IS NOT NULL THEN 'The play was decided' ELSE 'The fold was decided' END,
        CASE
            WHEN play_placed_at > decided_at OR decided_at IS NULL THEN clock(play_placed_at, play_placed_at_digits)
            ELSE clock(decided_at, decided_at_digits)
        END,
        clock(revealed_at, revealed_at_digits)
    ) AS message
FROM late
JOIN settlements AS decided ON decided.wager_key = late.decision_wager_key
LEFT JOIN digits ON digits.participant_key = late.participant_key
