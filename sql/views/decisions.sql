-- view: decisions
-- title: What each participant with an ante or a play claimed and did, and when
-- reach: round
-- keep: nothing

-- One row a current participant with an ante or play that was taken (a rejected one was not). *_voided: a void takes one of that kind;
-- *_stands: one of that kind is neither void nor cancelled. decision_wager_key is where a finding stands: the play, else the ante.
SELECT
    person.* EXCLUDE (is_current, studio_id, gaming_day, session_id),
    made.ante_wager_key, made.play_wager_key, made.decision_wager_key, made.ante_voided, made.play_voided, made.ante_stands, made.play_stands,
    made.play_placed_at,
    dealt.status AS round_status,
    dealt.revealed_at,
    dealt.revealed_at_digits,
    dealt.stream_outages
FROM (FROM seats WHERE decision_wager_key IS NOT NULL) AS made
JOIN current_participants AS person ON person.participant_key = made.participant_key
JOIN control_points AS dealt ON dealt.round_key = person.round_key
