-- view: meter_movements
-- title: The movements of the meters in current rounds
-- reach: round
-- keep: day

SELECT
    table_id, round_id, round_key, meter_no, meter_id, kind, seq, currency, before, after, source_file, source_line,
    coalesce(contribution, 0) AS contribution, coalesce(paid, 0) AS paid, coalesce(reseed, 0) AS reseed
FROM meters
WHERE is_current
