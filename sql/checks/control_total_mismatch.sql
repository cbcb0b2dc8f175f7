-- check: control_total_mismatch
-- title: The log is not what the control totals say
-- severity: critical
-- family: log
-- reach: day
-- needs: control_totals
-- citation: 58 Pa. Code § 816a.1
-- question: At which tables do rounds, first or last round, handle or returns differ from the studio's control totals?
-- examines: control_totals where gaming_day in (select gaming_day from current_rounds) and studio_id in (select studio_id from current_rounds)
-- subject: control totals of the day
-- means: Rounds, first or last round, handle or returns of a table in the log are not what the studio's control totals say.
-- matters: Control totals are the only proof from outside that a delivery is complete. Where they differ, something is missing, too much,
--   or counted otherwise.
-- do: Start with the number of rounds and the first and last round: they show whether records are missing. If they agree and the money does
--   not, look at voids, free wagers and test play in the studio's way of counting.

WITH given AS (
    FROM control_totals SEMI JOIN current_rounds USING (studio_id, gaming_day)
),
dealt AS (
    SELECT
        table_id,
        count(*) AS rounds,
        arg_min(round_id, (dated_at, round_id)) AS first_dated,
        arg_max(round_id, (dated_at, round_id)) AS last_dated,
        arg_min(round_id, (sequence, dated_at)) FILTER (sequence IS NOT NULL) AS first_numbered,
        arg_max(round_id, (sequence, dated_at)) FILTER (sequence IS NOT NULL) AS last_numbered
    FROM current_rounds
    GROUP BY table_id
),
taken AS (
    SELECT
        table_id, currency,
        sum(accepted) AS accepted, sum(accepted_free) AS accepted_free, sum(cancelled) AS cancelled, sum(returned) AS returned
    FROM table_money
    GROUP BY table_id, currency
),
judged AS (
    SELECT
        given.*,
        list_filter([
            CASE WHEN given.rounds <> coalesce(dealt.rounds, 0) THEN format('{} rounds, not {}', coalesce(dealt.rounds, 0), given.rounds) END,
            CASE
                WHEN given.first_round_id <> coalesce(dealt.first_dated, '') AND given.first_round_id <> coalesce(dealt.first_numbered, '')
                    THEN format('{} as its first round, not {}', coalesce(dealt.first_numbered, dealt.first_dated, 'none'), given.first_round_id)
            END,
            CASE
                WHEN given.last_round_id <> coalesce(dealt.last_dated, '') AND given.last_round_id <> coalesce(dealt.last_numbered, '')
                    THEN format('{} as its last round, not {}', coalesce(dealt.last_numbered, dealt.last_dated, 'none'), given.last_round_id)
            END,
            CASE
                WHEN NOT list_contains([
                    coalesce(taken.accepted, 0),
                    taken.accepted - taken.accepted_free,
                    taken.accepted + taken.cancelled,
                    taken.accepted + taken.cancelled - taken.accepted_free
                ], CAST(given.handle AS DECIMAL(38, 6)))
                    THEN format(
                        'a handle of {}, not {}', money(coalesce(taken.accepted, 0), given.currency), money(given.handle, given.currency)
                    )
            END,
            CASE
                WHEN NOT list_contains(
                    [coalesce(taken.returned, 0), taken.returned + taken.cancelled], CAST(given.returned AS DECIMAL(38, 6))
                )
                    THEN format(
                        '{} handed back, not {}', money(coalesce(taken.returned, 0), given.currency), money(given.returned, given.currency)
                    )
            END
        ], lambda told: told IS NOT NULL) AS wrongs
    FROM given
    LEFT JOIN dealt ON dealt.table_id = given.table_id
    LEFT JOIN taken ON taken.table_id = given.table_id AND taken.currency = given.currency
)
SELECT
    table_id, currency, gaming_day, source_file, source_line,
    format('For {}, the log shows {}: the control totals were due to be met ({{rule}}).', currency, array_to_string(wrongs, '; ')) AS message
FROM judged
WHERE len(wrongs) > 0
