-- view: staked_kinds
-- title: Each kind and currency that was staked on under a filing, the least and the most, beside what the filing says of them
-- reach: round

-- `offered`, `currency_filed`, `lowest` and `highest` are null where no filing was in force or, for the limits, where none is filed for
-- the kind and currency.
WITH staked AS (
    SELECT filing_no, kind, currency, min(least) AS least, max(most) AS most
    FROM round_sorts
    WHERE status <> 'rejected'
    GROUP BY filing_no, kind, currency
)
SELECT
    staked.*,
    CASE
        WHEN filed.filing_no IS NULL THEN NULL
        ELSE staked.kind IN ('ante', 'play') OR (offered.kind IS NOT NULL AND staked.kind <> 'ante_bonus')
    END AS offered,
    list_contains(filed.currencies, staked.currency) AS currency_filed,
    allowed.min AS lowest,
    allowed.max AS highest,
    coalesce(offered.alone, true) AS alone,
    coalesce(filed.linked_equal, false) AS linked_equal
FROM staked
LEFT JOIN filings AS filed ON filed.filing_no = staked.filing_no
LEFT JOIN filed_wagers AS offered ON offered.filing_no = staked.filing_no AND offered.kind = staked.kind
LEFT JOIN filed_limits AS allowed
    ON allowed.filing_no = staked.filing_no AND allowed.kind = staked.kind
    AND coalesce(allowed.currency, staked.currency) = staked.currency
