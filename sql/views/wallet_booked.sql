-- view: wallet_booked
-- title: The wallet's entries with what each moved to the player
-- reach: round

-- A cancel repeats its debit's id, or names it, and may come first. A cancel of a debit that was refused gives nothing back.
WITH meant AS (
    SELECT DISTINCT operator_id, round_id, unnest([txn_id, ref_id]) AS txn_id FROM wallet_entries WHERE type = 'cancel'
),
debits AS (
    SELECT operator_id, round_id, txn_id, bool_or(status = 'accepted') AS taken
    FROM wallet_entries
    SEMI JOIN meant USING (operator_id, round_id, txn_id)
    WHERE type = 'debit'
    GROUP BY ALL
)
SELECT
    e.*,
    CASE
        WHEN e.status = 'rejected' THEN 0
        WHEN e.type = 'debit' THEN -e.amount
        WHEN e.type = 'cancel' AND NOT coalesce(own.taken, named.taken, true) THEN 0
        ELSE e.amount
    END AS moved,
    CASE WHEN e.type = 'cancel' THEN coalesce(own.taken, named.taken) END AS debit_taken
FROM wallet_entries AS e
LEFT JOIN debits AS own
    ON e.type = 'cancel' AND own.operator_id = e.operator_id AND own.round_id = e.round_id AND own.txn_id = e.txn_id
LEFT JOIN debits AS named
    ON e.type = 'cancel' AND named.operator_id = e.operator_id AND named.round_id = e.round_id AND named.txn_id = e.ref_id
