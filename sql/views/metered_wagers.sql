-- view: metered_wagers
-- title: The current wagers of the kind that a meter hangs on, beside each movement of it in their round
-- reach: round

-- One row a wager and movement in its round. contribution_*, fixed_awards_from_meter: null where the wager's filing does not say.
WITH moved AS (
    SELECT round_key, meter_no, meter_id, kind, currency FROM meters WHERE is_current
),
hanging AS (
    SELECT wager_key, round_key, filing_no, kind, line, currency, stake, expected, outcome, settlement, status, funding, play_mode
    FROM settled_wagers
    SEMI JOIN moved USING (round_key)
    WHERE kind IN (SELECT kind FROM moved UNION SELECT share_of FROM filed_meters)
)
SELECT
    moved.round_key,
    moved.meter_no,
    moved.meter_id,
    moved.currency AS meter_currency,
    hanging.* EXCLUDE (round_key),
    filed.contribution_num,
    filed.contribution_den,
    filed.fixed_awards_from_meter
FROM moved
JOIN hanging ON hanging.round_key = moved.round_key
LEFT JOIN filed_meters AS filed ON filed.filing_no = hanging.filing_no AND filed.meter_id = moved.meter_id
WHERE hanging.kind = coalesce(filed.share_of, moved.kind)
