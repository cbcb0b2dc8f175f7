-- view: seats
-- title: Each participant with what became of their ante and play, and what they claimed and did
-- reach: round

-- One row a participant with a wager. A wager was made when it was accepted, or when a void took it; it was taken when it was not rejected.
-- has_*: one was made. play_over_ante: how much more the plays made are than the antes. *_voided: a void takes one that was taken; *_stands:
-- one of them is neither void nor cancelled. ante_judged: one that was made is settled or unsettleable. may_repeat is true of every
-- participant who made two wagers of one kind, and of few others: each kind marks one of 59 bits. decision_wager_key is where a finding on
-- ante and play stands: the play, else the ante; null for one who has neither. is_in_outage: it was decided while there were no pictures.
WITH told AS (
    SELECT
        participant_key, wager_key, stake, placed_at, settlement,
        kind = 'ante' AS is_ante,
        kind = 'play' AS is_play,
        status = 'accepted' OR settlement = 'voided' AS is_made,
        status <> 'rejected' AS is_taken,
        CAST(1 AS UBIGINT) << (hash(kind) % 59) AS kind_bit
    FROM settled_wagers
),
bets AS (
    SELECT
        participant_key,
        sum(CASE WHEN is_ante THEN -stake ELSE stake END) FILTER (is_made AND (is_ante OR is_play)) AS play_over_ante,
        count(*) FILTER (is_made) > bit_count(bit_or(CASE WHEN is_made THEN kind_bit ELSE 0 END)) AS may_repeat,
        min(wager_key) FILTER (is_taken AND is_ante) AS ante_wager_key,
        min(wager_key) FILTER (is_taken AND is_play) AS play_wager_key,
        max(placed_at) FILTER (is_taken AND is_play) AS play_placed_at,
        bit_or(
            CASE WHEN NOT is_made THEN 0 WHEN is_ante THEN 1 WHEN is_play THEN 2 ELSE 4 END
            + CASE
                WHEN NOT is_taken OR NOT (is_ante OR is_play) OR settlement = 'not_accepted' THEN 0
                ELSE CASE settlement WHEN 'voided' THEN 8 WHEN 'pending' THEN 32 ELSE 160 END * CASE WHEN is_ante THEN 1 ELSE 2 END
            END
        ) AS marks
    FROM told
    GROUP BY participant_key
),
dealt AS (
    SELECT round_key, table_id, revealed_at, len(stream_outages) > 0 AS has_outage FROM control_points
),
outages AS (
    SELECT round_key, unnest(stream_outages) AS outage FROM control_points WHERE len(stream_outages) > 0
),
unseeing AS (
    SELECT DISTINCT person.participant_key
    FROM outages
    JOIN current_participants AS person ON person.round_key = outages.round_key
    WHERE outage."from" < person.decided_at AND (outage."to" IS NULL OR person.decided_at < outage."to")
)
SELECT
    bets.* EXCLUDE (marks),
    marks & 1 <> 0 AS has_ante,
    marks & 2 <> 0 AS has_play,
    marks & 4 <> 0 AS has_side_wager,
    marks & 8 <> 0 AS ante_voided,
    marks & 16 <> 0 AS play_voided,
    marks & 32 <> 0 AS ante_stands,
    marks & 64 <> 0 AS play_stands,
    marks & 128 <> 0 AS ante_judged,
    coalesce(bets.play_wager_key, bets.ante_wager_key) AS decision_wager_key,
    person.hand_key,
    person.decision,
    person.decided_at,
    person.decided_by,
    dealt.table_id,
    dealt.revealed_at,
    coalesce(dealt.has_outage, false) AS has_outage,
    unseeing.participant_key IS NOT NULL AS is_in_outage
FROM bets
LEFT JOIN current_participants AS person ON person.participant_key = bets.participant_key
LEFT JOIN dealt ON dealt.round_key = person.round_key
LEFT JOIN unseeing ON unseeing.participant_key = bets.participant_key
