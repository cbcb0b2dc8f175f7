-- The rounds of a finding: its own; of one about a table, or a dealer, and day: those of that.
SELECT DISTINCT r.studio_id, r.gaming_day, r.round_id
FROM findings AS f
JOIN rounds AS r
    ON r.is_current AND r.studio_id = f.studio_id AND r.gaming_day = f.gaming_day
    AND (f.round_id IS NULL OR r.round_id = f.round_id)
    AND (f.round_id IS NOT NULL OR f.table_id IS NULL OR r.table_id = f.table_id)
    AND (f.round_id IS NOT NULL OR f.dealer_id IS NULL OR r.dealer_id = f.dealer_id)
WHERE f.finding_id = ?
