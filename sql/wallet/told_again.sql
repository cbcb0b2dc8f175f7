-- Entries whose id (operator, type, txn_id) stands more than once: which tell the same again, and which ids tell two things.
-- What was published stands before what is new; a rejected entry makes no accepted one a second telling.
WITH often AS (
    SELECT id_hash FROM placed GROUP BY id_hash HAVING count(*) > 1
),
numbered AS (
    SELECT
        rowid AS row_no, operator_id, type, txn_id, status, source_file, from_day IS NOT NULL AS published,
        row_number() OVER (
            PARTITION BY
                operator_id, type, txn_id, status, studio_id, player_id, round_id, wager_id, ref_id, ref_finding, amount, currency, "at"
            ORDER BY from_day IS NULL, source_file, source_line
        ) AS telling
    FROM placed
    SEMI JOIN often USING (id_hash)
)
SELECT
    row_no, source_file, published, telling > 1 AS again,
    status = 'accepted'
        AND count(*) FILTER (WHERE status = 'accepted' AND telling = 1) OVER (PARTITION BY operator_id, type, txn_id) > 1 AS id_reused
FROM numbered
