-- check: clock_regression
-- title: Times of a round run backwards
-- severity: medium
-- family: control
-- reach: day
-- citation: 58 Pa. Code § 816a.1
-- question: In which rounds do times run backwards: opened after closed, closed after the first player card, paid before placed, a correction
--   before what it corrects, or opened before the round that comes earlier by sequence? Orders with a check of their own do not count.
-- examines: current_rounds
-- subject: rounds
-- means: Times in the round contradict each other: it opened after it closed, closed after the first player card, a wager was paid before
--   it was placed, a correction came before what it corrects, or it opened before the round that precedes it by number.
-- matters: Every check on lateness rests on the log's clocks. A clock that jumps makes honest decisions look late, and late ones look
--   honest.
-- do: Have the clocks of table, server and wallet synchronised, and look again at the late decisions of the same hour.

WITH single AS (
    SELECT *
    FROM table_rounds
    WHERE sequence IS NOT NULL
    QUALIFY count(*) OVER (PARTITION BY table_id, sequence) = 1
),
along AS (
    SELECT
        *,
        lag(round_id) OVER numbered AS earlier_id,
        lag(opened_at) OVER numbered AS earlier_opened_at,
        lag(opened_at_digits) OVER numbered AS earlier_opened_at_digits
    FROM single
    WHERE opened_at IS NOT NULL
    WINDOW numbered AS (PARTITION BY table_id ORDER BY sequence)
),
fallen AS (
    SELECT
        round_key,
        format(
            'it opens at {}, before round {} of the same table, which has a lower sequence and opened at {}',
            clock(opened_at, opened_at_digits), earlier_id, clock(earlier_opened_at, earlier_opened_at_digits)
        ) AS told
    FROM along
    WHERE of_day AND is_after(earlier_opened_at, earlier_opened_at_digits, opened_at, opened_at_digits)
),
judged AS (
    SELECT
        dealt.*,
        list_concat(
            seen.backwards, CASE WHEN fallen.told IS NULL THEN CAST([] AS VARCHAR[]) ELSE [fallen.told] END
        ) AS backwards
    FROM current_rounds AS dealt
    JOIN round_clock AS seen ON seen.round_key = dealt.round_key
    LEFT JOIN fallen ON fallen.round_key = dealt.round_key
)
SELECT
    table_id, round_id, round_key, dealer_id, source_file, source_line,
    format('Times run backwards: {}; they were due to run on ({{rule}}).', array_to_string(backwards, '; ')) AS message
FROM judged
WHERE len(backwards) > 0
