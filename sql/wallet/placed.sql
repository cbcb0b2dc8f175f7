-- The ledger's entries, each with the studio and gaming day that it belongs to: those of its round, found by studio (where it is named),
-- operator and round id; else those of its own time.
-- An entry is looked up in one list a round id, so no entry can come out twice.
WITH rounds AS (
    SELECT
        r.round_id,
        list({
            'operators': s.operators, 'studio_id': r.studio_id, 'gaming_day': r.gaming_day, 'hour': r.hour, 'dated_us': r.dated_us
        }) AS found
    FROM round_places AS r
    JOIN studio_places AS s USING (studio_id)
    GROUP BY r.round_id
),
studios AS (
    SELECT list({
        'studio_id': studio_id, 'operators': operators, 'timezone': timezone, 'starts_at_minutes': starts_at_minutes, 'days': days,
        'known_from': known_from
    }) AS listed
    FROM studio_places
),
by_round AS (
    SELECT
        e.*,
        list_sort(list_transform(
            list_filter(r.found, lambda f: e.studio_id IS NULL OR f.studio_id = e.studio_id),
            lambda f: {
                'stranger': f.operators IS NOT NULL AND NOT list_contains(f.operators, e.operator_id),
                'away': abs(f.dated_us - epoch_us(e.at)), 'studio_id': f.studio_id, 'gaming_day': f.gaming_day, 'hour': f.hour
            }
        ))[1] AS round_at
    FROM entries AS e
    LEFT JOIN rounds AS r ON r.round_id = e.round_id
),
by_time AS (
    SELECT
        b.*,
        CASE WHEN b.round_at IS NULL THEN list_sort(list_transform(
            list_transform(
                list_filter(s.listed, lambda f: b.studio_id IS NULL OR f.studio_id = b.studio_id),
                lambda f: {
                    'studio': f, 'day': CAST(timezone(f.timezone, b.at) - to_minutes(f.starts_at_minutes) AS DATE)
                }
            ),
            lambda f: {
                'unknown_day': NOT list_contains(f.studio.days, f.day),
                'stranger': f.studio.operators IS NOT NULL AND NOT list_contains(f.studio.operators, b.operator_id),
                'studio_id': f.studio.studio_id, 'gaming_day': f.day, 'known_from': f.studio.known_from
            }
        ))[1] END AS time_at
    FROM by_round AS b
    CROSS JOIN studios AS s
)
SELECT
    coalesce(round_at.studio_id, studio_id, time_at.studio_id) AS studio_id,
    coalesce(round_at.gaming_day, time_at.gaming_day, CAST(timezone('UTC', "at") AS DATE)) AS gaming_day,
    operator_id, txn_id, type, status, player_id, round_id, wager_id, ref_id, ref_finding, amount, currency, "at", at_digits, source_file,
    source_line, from_studio, from_day,
    round_at IS NOT NULL AS round_known,
    round_at IS NULL AND (coalesce(time_at.unknown_day, true) OR coalesce("at" < time_at.known_from, false)) AS before_log,
    coalesce(round_at.hour, -1) AS hour,
    hash(operator_id, type, txn_id) AS id_hash
FROM by_time
