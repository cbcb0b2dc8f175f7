-- check: meter_break
-- title: A meter's movements do not add up
-- severity: high
-- family: meter
-- reach: day
-- filing_key: meters
-- citation: 58 Pa. Code § 649a.12(e)
-- question: Which movements of a meter do not add up, or do not start from where the movement before ended?
-- examines: meter_links
-- subject: meter movements
-- unless: is_start and seq is null — the movement has no number, so that the one before it, on this table or another, is not known
-- unless: before is null or (after is null and not is_start) — the movement lacks its start or its end
-- means: A movement of a progressive meter does not add up: start, contribution, payments and reseed do not give its end, or it does not
--   start where the movement before it ended.
-- matters: The meter is the players' money, collected from their stakes. What leaves it unrecorded is taken from whoever wins it next.
-- do: Walk the meter's movements around the break. A missing movement mostly means a missing round; a wrong sum means that the meter was
--   set by hand.

WITH numbered AS (
    SELECT round_key, meter_no, meter_id, seq, before, after, true AS of_day FROM meter_movements WHERE seq IS NOT NULL
    UNION ALL BY NAME
    SELECT meter_id, seq, after, false AS of_day FROM edge_meters
),
along AS (
    SELECT round_key, meter_no, seq, before, of_day, lag(seq) OVER at_meter AS last_seq, lag(after) OVER at_meter AS last_after
    FROM numbered
    WINDOW at_meter AS (PARTITION BY meter_id ORDER BY seq, of_day, round_key, meter_no)
),
started AS (
    SELECT round_key, meter_no, last_seq, last_after FROM along WHERE of_day AND last_seq = seq - 1 AND before <> last_after
),
summed AS (
    SELECT *, before + contribution - paid + reseed AS sum_due FROM meter_movements
),
judged AS (
    SELECT
        summed.*,
        list_filter([
            CASE
                WHEN sum_due <> after THEN format(
                    'ends at {}, where {} + {} - {} + {} = {} was due', money(after, currency), money(before, NULL), money(contribution, NULL),
                    money(paid, NULL), money(reseed, NULL), money(sum_due, currency)
                )
            END,
            CASE
                WHEN last_seq IS NOT NULL
                    THEN format('starts at {}, where movement {} had ended at {}', money(before, currency), last_seq, money(last_after, currency))
            END
        ], lambda told: told IS NOT NULL) AS wrongs
    FROM summed
    LEFT JOIN started ON started.round_key = summed.round_key AND started.meter_no = summed.meter_no
    WHERE sum_due <> after OR last_seq IS NOT NULL
)
SELECT
    table_id, round_id, round_key, currency, source_file, source_line,
    concat_ws(' ', meter_id, 'seq', coalesce(CAST(seq AS VARCHAR), '#' || meter_no)) AS detail,
    format(
        'Movement {} of the meter {} {} ({{filing}}: {{rule}}).',
        coalesce(CAST(seq AS VARCHAR), 'without number'), meter_id, array_to_string(wrongs, ', and ')
    ) AS message
FROM judged
