-- view: finding_history
-- title: What was done about findings, entry by entry: who said what, and how the finding stood then; a finding itself is never altered
-- column finding_id: the finding
-- column place: number of the entry among those of the finding, from 1
-- column recorded_at: when it was recorded
-- column recorded_by: who recorded it; the run that brought the finding back where the action is reopen
-- column action: note, assign, accept, dispute, close, or reopen: it was closed and came back, or says something else
-- column status: how the finding stands from then on: open, assigned, accepted, disputed, closed or reopened
-- column assignee: who is to look at it from then on
-- column note: what was said
-- column check_id: its check
-- column studio_id: its studio
-- column gaming_day: its gaming day
-- column stands: the finding stands in the lake now; false where a later audit no longer finds it
WITH entries AS (
    SELECT
        finding_id, number, entry, recorded_at AS happened_at, recorded_by, action, assignee, note, check_id, studio_id, gaming_day,
        status_after(action) AS status
    FROM follow_ups
    UNION ALL
    SELECT finding_id, number, 0, reopened_at, 'run ' || run_id, 'reopen', NULL, why, NULL, NULL, NULL, 'reopened'
    FROM reopenings
),
-- A publish that brings a finding back comes before what was recorded after it.
placed AS (
    SELECT *, row_number() OVER (PARTITION BY finding_id ORDER BY number, entry) AS place FROM entries
)
SELECT
    finding_id,
    place,
    happened_at AS recorded_at,
    recorded_by,
    action,
    coalesce(last_value(status IGNORE NULLS) OVER earlier, 'open') AS status,
    last_value(assignee IGNORE NULLS) OVER earlier AS assignee,
    note,
    last_value(check_id IGNORE NULLS) OVER earlier AS check_id,
    last_value(studio_id IGNORE NULLS) OVER earlier AS studio_id,
    last_value(gaming_day IGNORE NULLS) OVER earlier AS gaming_day,
    finding_id IN (SELECT finding_id FROM findings) AS stands
FROM placed
WINDOW earlier AS (PARTITION BY finding_id ORDER BY place)
ORDER BY finding_id, place
