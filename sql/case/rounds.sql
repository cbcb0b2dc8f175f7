-- The current rounds that fit all that was asked for, in the order of time.
SELECT r.studio_id, r.gaming_day, r.round_id
FROM rounds AS r
WHERE r.is_current
    AND ($rounds IS NULL OR r.round_id IN (SELECT unnest(CAST($rounds AS VARCHAR[]))))
    AND ($studio IS NULL OR r.studio_id = $studio)
    AND ($table IS NULL OR r.table_id = $table)
    AND ($dealer IS NULL OR r.dealer_id = $dealer)
    AND ($since IS NULL OR r.dated_at >= CAST($since AS TIMESTAMPTZ))
    AND ($until IS NULL OR r.dated_at <= CAST($until AS TIMESTAMPTZ))
    AND (($player IS NULL AND $operator IS NULL) OR EXISTS (
        SELECT 1 FROM participants AS p
        WHERE p.is_current AND p.studio_id = r.studio_id AND p.gaming_day = r.gaming_day AND p.round_id = r.round_id
            AND ($player IS NULL OR p.player_id = $player) AND ($operator IS NULL OR p.operator_id = $operator)
    ))
ORDER BY r.dated_at, r.studio_id, r.round_id
