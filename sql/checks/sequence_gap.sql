-- check: sequence_gap
-- title: A round number is missing
-- severity: medium
-- family: log
-- reach: day
-- citation: 58 Pa. Code § 816a.1
-- question: Before which rounds are numbers missing in their table's sequence, and which of those lie in quarantine?
-- examines: current_rounds
-- subject: rounds
-- unless: sequence is null — the round has no sequence number
-- means: One or more round numbers of the table are missing before this round. The sentence says which of them lie in quarantine; the
--   finding goes away when they are delivered.
-- matters: A round that is not in the log was not audited. A missing round is also how an unwelcome result disappears.
-- do: Ask for the missing rounds by number. If they lie in quarantine, repair the reason there; if the number was never dealt, have the
--   studio confirm that.

WITH gaps AS (
    SELECT *, lag(sequence) OVER (PARTITION BY table_id ORDER BY sequence, of_day, dated_at) AS last_seen
    FROM table_rounds
    WHERE sequence IS NOT NULL
    QUALIFY of_day AND sequence > last_seen + 1
),
unread AS (
    SELECT DISTINCT
        regexp_extract(text, '"table_id"\s*:\s*"([^"]*)"', 1) AS table_id,
        TRY_CAST(regexp_extract(text, '"sequence"\s*:\s*(\d+)', 1) AS BIGINT) AS sequence
    FROM (SELECT TRY(decode(raw)) AS text FROM quarantine WHERE EXISTS (FROM gaps))
),
told AS (
    SELECT gaps.*, list_sort(list(unread.sequence) FILTER (unread.sequence IS NOT NULL)) AS quarantined
    FROM gaps
    LEFT JOIN unread ON unread.table_id = gaps.table_id AND unread.sequence > gaps.last_seen AND unread.sequence < gaps.sequence
    GROUP BY ALL
)
SELECT
    table_id, round_id, round_key, dealer_id, source_file, source_line,
    'from ' || (last_seen + 1) AS detail,
    format(
        '{} before this round, number {}{}: each round is due the number after the last one''s.',
        CASE
            WHEN sequence = last_seen + 2 THEN format('Number {} is missing', last_seen + 1)
            ELSE format('Numbers {} to {} are missing', last_seen + 1, sequence - 1)
        END,
        sequence,
        CASE
            WHEN quarantined IS NULL THEN ''
            WHEN sequence = last_seen + 2 THEN ', and lies in quarantine'
            ELSE format(
                ', of which {}{} in quarantine', array_to_string(quarantined[1:5], ', '),
                CASE
                    WHEN len(quarantined) > 5 THEN format(' and {} more lie', len(quarantined) - 5)
                    WHEN len(quarantined) = 1 THEN ' lies'
                    ELSE ' lie'
                END
            )
        END
    ) AS message
FROM told
