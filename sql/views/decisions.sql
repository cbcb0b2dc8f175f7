-- view: decisions
-- title: What each participant with an ante or a play claimed and did, and when
-- reach: round

-- One row a current participant with an ante or play that was taken (a rejected one was not). *_voided: a void takes one of that kind;
-- *_stands: one of that kind is neither void nor cancelled. decision_wager_key is where a finding stands: the play, else the ante.
WITH taken AS (
    SELECT
        wager.participant_key,
        min(wager.wager_key) FILTER (wager.kind = 'ante') AS ante_wager_key,
        min(wager.wager_key) FILTER (wager.kind = 'play') AS play_wager_key,
        coalesce(bool_or(wager.settlement = 'voided') FILTER (wager.kind = 'ante'), false) AS ante_voided,
        coalesce(bool_or(wager.settlement = 'voided') FILTER (wager.kind = 'play'), false) AS play_voided,
        coalesce(bool_or(wager.settlement NOT IN ('voided', 'not_accepted')) FILTER (wager.kind = 'ante'), false) AS ante_stands,
        coalesce(bool_or(wager.settlement NOT IN ('voided', 'not_accepted')) FILTER (wager.kind = 'play'), false) AS play_stands,
        max(wager.placed_at) FILTER (wager.kind = 'play') AS play_placed_at,
        arg_max(wager.placed_at_digits, wager.placed_at) FILTER (wager.kind = 'play') AS play_placed_at_digits,
        min(wager.filing_no) AS filing_no
    FROM settled_wagers AS wager
    WHERE wager.kind IN ('ante', 'play') AND wager.status <> 'rejected'
    GROUP BY wager.participant_key
)
SELECT
    person.* EXCLUDE (is_current, studio_id, gaming_day, session_id),
    taken.* EXCLUDE (participant_key),
    coalesce(taken.play_wager_key, taken.ante_wager_key) AS decision_wager_key,
    dealt.status AS round_status,
    dealt.revealed_at,
    dealt.revealed_at_digits,
    dealt.stream_outages
FROM taken
JOIN current_participants AS person ON person.participant_key = taken.participant_key
JOIN control_points AS dealt ON dealt.round_key = person.round_key
