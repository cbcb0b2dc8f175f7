-- view: filed_sorts
-- title: The sorts of wagers that were taken at each table, beside what their filing says of the kind, the currency and the stake
-- reach: round

-- As `filed_stakes` has them wager by wager.
WITH taken AS (
    SELECT table_id, filing_no, kind, currency, status, settlement, sum(wagers) AS wagers
    FROM round_sorts
    WHERE status <> 'rejected'
    GROUP BY ALL
)
SELECT taken.*, filed.* EXCLUDE (filing_no, kind, currency)
FROM taken
JOIN staked_kinds AS filed
    ON filed.filing_no IS NOT DISTINCT FROM taken.filing_no AND filed.kind IS NOT DISTINCT FROM taken.kind
    AND filed.currency IS NOT DISTINCT FROM taken.currency
