-- view: finding_status
-- title: How each finding stands: open, or what was last done about it; and findings that are gone but were dealt with
-- column finding_id: the finding
-- column status: open, assigned, accepted, disputed, closed, or reopened: it was closed and came back
-- column assignee: who is to look at it
-- column entries: how often something was recorded about it
-- column last_at: when that was last
-- column last_by: by whom
-- column last_note: the last thing that was said
-- column stands: it stands in the lake now
-- column check_id: its check
-- column severity: its severity; null where it is gone
-- column studio_id: its studio
-- column gaming_day: its gaming day
-- column table_id: the table
-- column round_id: the round
-- column wager_id: the wager
-- column player_id: the player
-- column currency: ISO 4217 code
-- column delta: handed back less due
-- column message: what it says
WITH entries AS (
    SELECT
        finding_id, number, entry, recorded_at AS happened_at, recorded_by, assignee, note, check_id, studio_id, gaming_day,
        status_after(action) AS status
    FROM follow_ups
    UNION ALL
    SELECT finding_id, number, 0, reopened_at, 'run ' || run_id, NULL, why, NULL, NULL, NULL, 'reopened'
    FROM reopenings
),
latest AS (
    SELECT
        finding_id,
        arg_max(status, (number, entry)) FILTER (status IS NOT NULL) AS status,
        arg_max(assignee, (number, entry)) FILTER (assignee IS NOT NULL) AS assignee,
        count(*) AS entries,
        arg_max(happened_at, (number, entry)) AS last_at,
        arg_max(recorded_by, (number, entry)) AS last_by,
        arg_max(note, (number, entry)) FILTER (note IS NOT NULL) AS last_note,
        arg_max(check_id, (number, entry)) FILTER (check_id IS NOT NULL) AS check_id,
        arg_max(studio_id, (number, entry)) FILTER (studio_id IS NOT NULL) AS studio_id,
        arg_max(gaming_day, (number, entry)) FILTER (gaming_day IS NOT NULL) AS gaming_day
    FROM entries
    GROUP BY finding_id
)
SELECT
    coalesce(found.finding_id, latest.finding_id) AS finding_id,
    coalesce(latest.status, 'open') AS status,
    latest.assignee,
    coalesce(latest.entries, 0) AS entries,
    latest.last_at,
    latest.last_by,
    latest.last_note,
    found.finding_id IS NOT NULL AS stands,
    coalesce(found.check_id, latest.check_id) AS check_id,
    found.severity,
    coalesce(found.studio_id, latest.studio_id) AS studio_id,
    coalesce(found.gaming_day, latest.gaming_day) AS gaming_day,
    found.table_id,
    found.round_id,
    found.wager_id,
    found.player_id,
    found.currency,
    found.delta,
    found.message
FROM findings AS found
FULL JOIN latest ON latest.finding_id = found.finding_id
