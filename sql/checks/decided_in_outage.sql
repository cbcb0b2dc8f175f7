-- check: decided_in_outage
-- title: A fold or time-out fell into a stream outage
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which rounds did a fold or a time-out that still counts fall inside a stream outage?
-- examines: seats where has_outage and decision_wager_key is not null and ante_stands and (not play_stands or decision = 'fold' or decided_by = 'timeout')
-- subject: folds and time-outs in rounds with a stream outage
-- unless: decided_at is null — the log does not say when it was decided
-- suspects: seats where is_in_outage and ante_stands and (not play_stands or decision = 'fold' or decided_by = 'timeout')
-- means: A player folded or ran out of time while the log says that the players had no pictures.
-- matters: Players are owed real-time visual access. A stake that is lost because somebody could not see the hand is lost by the studio's
--   fault.
-- do: Check the length of the outage and what the hand would have won. Such hands are candidates for a refund; repeated outages are a
--   matter for the provider of the stream.

WITH blind AS (
    SELECT
        *,
        list_filter(
            stream_outages, lambda outage: outage."from" < decided_at AND (outage."to" IS NULL OR decided_at < outage."to")
        )[1] AS outage
    FROM decisions
    WHERE len(stream_outages) > 0 AND ante_stands AND (NOT play_stands OR decision = 'fold' OR decided_by = 'timeout')
)
SELECT
    any_value(blind.table_id) AS table_id, any_value(blind.round_id) AS round_id, blind.round_key, min(decided.filing_no) AS filing_no,
    CASE WHEN bool_and(blind.play_mode = 'test') THEN 'test' ELSE 'real' END AS play_mode,
    any_value(blind.source_file) AS source_file, any_value(blind.source_line) AS source_line,
    format(
        '{} (first {} at {}) while the players had no pictures from {} to {}: real-time visual access was due ({{rule}}).',
        CASE WHEN count(*) = 1 THEN 'One player folded or timed out' ELSE count(*) || ' players folded or timed out' END,
        arg_min(coalesce(blind.player_id, 'unnamed'), (decided_at, blind.participant_key)),
        clock(min(decided_at), arg_min(decided_at_digits, (decided_at, decided_at_digits))),
        clock(min(outage."from"), NULL),
        CASE WHEN bool_or(outage."to" IS NULL) THEN 'the end of the log' ELSE clock(max(outage."to"), NULL) END
    ) AS message
FROM blind
JOIN settlements AS decided ON decided.wager_key = blind.decision_wager_key
WHERE outage IS NOT NULL
GROUP BY blind.round_key
