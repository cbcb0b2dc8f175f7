-- view: round_clock
-- title: When a round's first card was read, and which of its times run backwards
-- reach: round
-- keep: day

-- One row a current round. `backwards` says each wrong order that no other check is about.
WITH paid_early AS (
    SELECT
        round_key,
        arg_min(
            format('wager {} is paid at {}, before it was placed at {}', wager_id, clock(paid_at, paid_at_digits), clock(placed_at, placed_at_digits)),
            wager_key
        ) AS told
    FROM settled_wagers
    WHERE round_key IN (SELECT round_key FROM round_sorts WHERE has_paid_early) AND is_after(placed_at, placed_at_digits, paid_at, paid_at_digits)
    GROUP BY round_key
),
corrected_early AS (
    SELECT
        later.round_key,
        arg_min(
            format(
                'reading {} corrects reading {} at {}, before that was read at {}', later.seq, earlier.seq,
                clock(later.read_at, later.read_at_digits), clock(earlier.read_at, earlier.read_at_digits)
            ),
            later.reading_no
        ) AS told
    FROM (SELECT * FROM current_card_readings WHERE replaces IS NOT NULL AND replaces <> seq) AS later
    JOIN current_card_readings AS earlier
        ON earlier.round_key = later.round_key
        AND earlier.seq = later.replaces
        AND earlier."to" = later."to"
        AND earlier.position = later.position
    WHERE is_after(earlier.read_at, earlier.read_at_digits, later.read_at, later.read_at_digits)
    GROUP BY later.round_key
)
SELECT
    dealt.round_key,
    dealt.first_card_at,
    dealt.first_card_at_digits,
    list_filter([
        CASE
            WHEN is_after(dealt.opened_at, dealt.opened_at_digits, dealt.bets_closed_at, dealt.bets_closed_at_digits)
                THEN format(
                    'bets close at {}, before they opened at {}',
                    clock(dealt.bets_closed_at, dealt.bets_closed_at_digits), clock(dealt.opened_at, dealt.opened_at_digits)
                )
        END,
        CASE
            WHEN is_after(dealt.bets_closed_at, dealt.bets_closed_at_digits, dealt.first_player_card_at, dealt.first_player_card_at_digits)
                THEN format(
                    'the first player card is read at {}, before bets closed at {}',
                    clock(dealt.first_player_card_at, dealt.first_player_card_at_digits),
                    clock(dealt.bets_closed_at, dealt.bets_closed_at_digits)
                )
        END,
        paid_early.told,
        corrected_early.told
    ], lambda told: told IS NOT NULL) AS backwards
FROM control_points AS dealt
LEFT JOIN paid_early ON paid_early.round_key = dealt.round_key
LEFT JOIN corrected_early ON corrected_early.round_key = dealt.round_key
