-- check: void_after_reveal
-- title: A void was called after the dealer's hand was turned
-- severity: info
-- family: control
-- reach: round
-- filing_key: dealer_cards_read
-- citation: 58 Pa. Code § 816a.1
-- question: Which voids were called after the dealer's hand was turned, and what would the players have won and lost without them?
-- examines: control_points where has_void or status = 'voided'
-- subject: voids
-- unless: revealed_at is null — the reveal is not timed
-- unless: void_at is null — the log does not say when the void was called
-- suspects: control_points where (has_void or status = 'voided') and void_at > revealed_at
-- means: The void was called after the dealer's hand had been turned. The sentence says what the players would have won and lost without
--   it.
-- matters: Once the result is in sight, a void can be chosen by whom it helps. Most are honest misdeals; the pattern over time shows the
--   others.
-- do: Read the reason beside the sums, and look at the view `void_by_authoriser`: one name above many voids of rounds that the players had
--   won is a question to ask.

WITH late AS (
    SELECT *
    FROM control_points
    WHERE is_after(void_at, NULL, revealed_at, revealed_at_digits)
),
players AS (
    SELECT
        settled.round_key,
        settled.currency,
        settled.operator_id,
        settled.player_id,
        sum(settled.stake) AS staked,
        count(*) FILTER (without.expected IS NULL) AS unknown,
        sum(
            without.expected + coalesce(without.expected_bonus, 0) - CASE WHEN settled.funding = 'cash' THEN settled.stake ELSE 0 END
        ) AS net
    FROM settlements AS settled
    SEMI JOIN late ON late.round_key = settled.round_key
    JOIN unvoided AS without ON without.wager_key = settled.wager_key
    WHERE settled.settlement = 'voided' AND settled.play_mode = 'real'
    GROUP BY settled.round_key, settled.currency, settled.operator_id, settled.player_id
),
sums AS (
    SELECT
        round_key,
        currency,
        count(*) AS players,
        sum(staked) AS staked,
        sum(unknown) AS unknown,
        sum(greatest(net, 0)) AS won,
        sum(greatest(-net, 0)) AS lost
    FROM players
    GROUP BY round_key, currency
),
told AS (
    SELECT
        round_key,
        string_agg(
            format(
                'stakes of {} by {} fell under it, and without it the players would have won {} and lost {}{}',
                money(staked, currency), CASE WHEN players = 1 THEN 'one player' ELSE players || ' players' END,
                money(won, currency), money(lost, currency),
                CASE
                    WHEN unknown = 0 THEN ''
                    WHEN unknown = 1 THEN ', one wager apart that cannot be settled'
                    ELSE format(', {} wagers apart that cannot be settled', CAST(unknown AS BIGINT))
                END
            ),
            '; '
            ORDER BY currency
        ) AS what_if
    FROM sums
    GROUP BY round_key
)
SELECT
    late.table_id, late.round_id, late.round_key, late.dealer_id, late.filing_no, late.source_file, late.source_line,
    format(
        '{} voided the round{} at {} ({}), after the dealer''s hand was turned from {} on ({{filing}}: {{rule}}): {}.',
        coalesce(late.void_authorised_by, 'Someone unnamed'),
        CASE WHEN late.status = 'voided' THEN '' ELSE ' in part' END,
        clock(late.void_at, NULL), coalesce(late.void_reason, 'no reason given'), clock(late.revealed_at, late.revealed_at_digits),
        coalesce(told.what_if, 'no real stake fell under it')
    ) AS message
FROM late
LEFT JOIN told ON told.round_key = late.round_key
