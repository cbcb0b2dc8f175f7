-- view: remedy_status
-- title: What players are owed, finding by finding, what was paid back, and what is still open
-- column finding_id: the finding
-- column check_id: the check that raised it; null where no finding of that id stands now
-- column gaming_day: its gaming day
-- column studio_id: the studio
-- column operator_id: the operator
-- column player_id: the player
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column owed: what the player got too little
-- column paid: what was paid back: recorded, or booked by the wallet as an adjustment that names the finding; the same booking counts once
-- column booked: how much of it stands in the wallet's ledger
-- column open: owed less paid; below zero where too much was paid back
-- column status: open, partly paid, made whole, too much paid, or nothing owed
WITH owed AS (
    SELECT
        finding_id, check_id, gaming_day, studio_id, operator_id, player_id, currency,
        coalesce(-delta, expected - coalesce(paid, 0)) AS owed
    FROM findings
    WHERE
        player_id IS NOT NULL AND currency IS NOT NULL AND severity <> 'info'
        AND (delta < 0 OR (starts_with(check_id, 'wallet_') AND paid < expected))
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
        finding_id, operator_id, any_value(player_id) AS player_id, currency, txn_id, sum(booked) AS booked,
        coalesce(sum(booked), max(recorded)) AS paid
    FROM told
    GROUP BY finding_id, operator_id, currency, txn_id
),
paid AS (
    SELECT
        finding_id, any_value(operator_id) AS operator_id, any_value(player_id) AS player_id, currency, sum(paid) AS paid,
        sum(booked) AS booked
    FROM bookings
    GROUP BY finding_id, currency
)
SELECT
    coalesce(owed.finding_id, paid.finding_id) AS finding_id,
    owed.check_id,
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
FULL JOIN paid ON paid.finding_id = owed.finding_id AND paid.currency = owed.currency
ORDER BY ALL
