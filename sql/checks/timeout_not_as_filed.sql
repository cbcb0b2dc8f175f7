-- check: timeout_not_as_filed
-- title: A time-out was not decided as filed
-- severity: medium
-- family: control
-- reach: round
-- filing_key: on_timeout
-- citation: 58 Pa. Code § 816a.2
-- question: Which decisions by time-out are not the one that the filing gives to a player who runs out of time?
-- examines: timeouts
-- subject: decisions by time-out
-- unless: filing_no is null — no filing was in force
-- unless: reaches_threshold is null — the cards of the hand are not known, and the filing decides a time-out by them
-- suspects: timeouts where filing_no is not null and played <> reaches_threshold
-- means: A player ran out of time, and what was then decided for them is not what the filing gives to a player who runs out of time.
-- matters: The filing says whether a time-out folds, plays, or plays from a certain hand on. Anything else takes a decision away from the
--   player that nobody was told of.
-- do: Check the table's setting for time-outs against the filing. Look at the folds that should have been plays: there players have lost a
--   stake that they ought to have had a chance on.

SELECT
    table_id, round_id, round_key, decision_wager_id AS wager_id, hand_id, operator_id, player_id, currency, filing_no, play_mode,
    source_file, source_line,
    format(
        'The player ran out of time and {}, where on_timeout = "{}" is filed: {} was due ({{filing}}: {{rule}}).',
        CASE WHEN played THEN 'a play was made' ELSE 'no play was made' END,
        on_timeout,
        CASE WHEN reaches_threshold THEN 'a play' ELSE 'a fold' END
    ) AS message
FROM timeouts
WHERE filing_no IS NOT NULL AND played <> reaches_threshold
