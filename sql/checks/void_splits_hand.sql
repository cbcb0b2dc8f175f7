-- check: void_splits_hand
-- title: A part void takes one of a participant's ante and play
-- severity: medium
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which rounds does a part void take a participant's ante and leave the play, or take the play and leave the ante?
-- examines: seats where ante_voided or play_voided
-- subject: participants whose ante or play a void takes
-- suspects: seats where (ante_voided and not play_voided and play_stands) or (play_voided and not ante_voided and ante_stands)
-- means: A part void takes a participant's ante and leaves the play, or takes the play and leaves the ante.
-- matters: Ante and play are two halves of one bet on one hand. Voiding one of them leaves a bet that the game does not know.
-- do: Decide whether the whole hand was to be voided or nothing of it, and have the scope corrected. The standing half is settled as the
--   rules say meanwhile.

SELECT
    any_value(split.table_id) AS table_id, any_value(split.round_id) AS round_id, split.round_key, min(decided.filing_no) AS filing_no,
    CASE WHEN bool_and(split.play_mode = 'test') THEN 'test' ELSE 'real' END AS play_mode,
    any_value(split.source_file) AS source_file, any_value(split.source_line) AS source_line,
    format(
        'The part void takes the {} of {}{} and leaves the {} standing: both were due to go or stay together ({{rule}}).',
        CASE WHEN arg_min(ante_voided, split.participant_key) THEN 'ante' ELSE 'play' END,
        arg_min(coalesce(split.player_id, 'a player without id'), split.participant_key),
        CASE WHEN count(*) > 1 THEN format(' (and of {} more)', count(*) - 1) ELSE '' END,
        CASE WHEN arg_min(ante_voided, split.participant_key) THEN 'play' ELSE 'ante' END
    ) AS message
FROM decisions AS split
JOIN settlements AS decided ON decided.wager_key = split.decision_wager_key
WHERE (ante_voided AND play_stands AND NOT play_voided) OR (play_voided AND ante_stands AND NOT ante_voided)
GROUP BY split.round_key
