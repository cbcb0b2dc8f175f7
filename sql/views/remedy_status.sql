-- view: remedy_status
-- title: What players are owed, incident by incident, what was paid back, and what is still open; what is no part of an incident is told by finding
-- column incident_id: the incident; null for a finding that is part of none
-- column finding_id: the finding that is part of no incident; null for an incident
-- column check_id: the check that raised it; null where several did, or where nothing of that id stands now
-- column findings: how many findings owe it
-- column gaming_day: its gaming day
-- column studio_id: the studio
-- column operator_id: the operator
-- column player_id: the player
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column owed: what the player got too little; what was too much elsewhere is not set off against it
-- column paid: what was paid back: recorded, or booked by the wallet as an adjustment that names a finding; the same booking counts once
-- column booked: how much of it stands in the wallet's ledger
-- column open: owed less paid; below zero where too much was paid back
-- column status: open, partly paid, made whole, too much paid, or nothing owed
WITH part AS (
    SELECT *, coalesce(incident_id, finding_id) AS owing, CASE WHEN incident_id IS NULL THEN finding_id END AS alone FROM findings
),
owed AS (
    SELECT
        owing, any_value(incident_id) AS incident_id, any_value(alone) AS finding_id,
        CASE WHEN count(DISTINCT check_id) = 1 THEN any_value(check_id) END AS check_id, count(*) AS findings,
        any_value(gaming_day) AS gaming_day, any_value(studio_id) AS studio_id, operator_id, player_id, currency,
        sum(coalesce(-delta, expected - coalesce(paid, 0))) AS owed
    FROM part
    WHERE
        player_id IS NOT NULL AND currency IS NOT NULL AND severity <> 'info'
        AND (delta < 0 OR (starts_with(check_id, 'wallet_') AND paid < expected))
    GROUP BY owing, operator_id, player_id, currency
),
told AS (
    SELECT ref_finding AS finding_id, operator_id, player_id, currency, txn_id, amount AS booked, NULL AS recorded
    FROM wallet
    WHERE type = 'adjustment' AND status = 'accepted' AND ref_finding IS NOT NULL
    UNION ALL
    SELECT finding_id, operator_id, player_id, currency, txn_id, NULL, amount FROM remedies
),
-- What the wallet booked holds where the record says otherwise.
bookings AS (
    SELECT
        coalesce(part.owing, told.finding_id) AS owing, any_value(part.incident_id) AS incident_id,
        any_value(CASE WHEN part.incident_id IS NULL THEN told.finding_id END) AS finding_id,
        told.operator_id, told.player_id, told.currency, told.txn_id, sum(told.booked) AS booked,
        coalesce(sum(told.booked), sum(told.recorded)) AS paid
    FROM told
    LEFT JOIN part ON part.finding_id = told.finding_id
    GROUP BY coalesce(part.owing, told.finding_id), told.operator_id, told.player_id, told.currency, told.txn_id
),
paid AS (
    SELECT
        owing, any_value(incident_id) AS incident_id, any_value(finding_id) AS finding_id, operator_id, player_id, currency,
        sum(paid) AS paid, sum(booked) AS booked
    FROM bookings
    GROUP BY owing, operator_id, player_id, currency
)
SELECT
    coalesce(owed.incident_id, paid.incident_id) AS incident_id,
    coalesce(owed.finding_id, paid.finding_id) AS finding_id,
    owed.check_id,
    coalesce(owed.findings, 0) AS findings,
    owed.gaming_day,
    owed.studio_id,
    coalesce(owed.operator_id, paid.operator_id) AS operator_id,
    coalesce(owed.player_id, paid.player_id) AS player_id,
    coalesce(owed.currency, paid.currency) AS currency,
    CAST(coalesce(owed.owed, 0) AS DECIMAL(38, 6)) AS owed,
    CAST(coalesce(paid.paid, 0) AS DECIMAL(38, 6)) AS paid,
    CAST(coalesce(paid.booked, 0) AS DECIMAL(38, 6)) AS booked,
    CAST(coalesce(owed.owed, 0) - coalesce(paid.paid, 0) AS DECIMAL(38, 6)) AS open,
    CASE
        WHEN owed.owed IS NULL THEN 'nothing owed'
        WHEN coalesce(paid.paid, 0) = 0 THEN 'open'
        WHEN paid.paid < owed.owed THEN 'partly paid'
        WHEN paid.paid = owed.owed THEN 'made whole'
        ELSE 'too much paid'
    END AS status
FROM owed
FULL JOIN paid
    ON paid.owing = owed.owing AND paid.operator_id IS NOT DISTINCT FROM owed.operator_id AND paid.player_id = owed.player_id
    AND paid.currency = owed.currency
ORDER BY ALL
