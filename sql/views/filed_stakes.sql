-- view: filed_stakes
-- title: A current wager that was taken, beside what its filing says of its kind, currency and stake
-- reach: round
-- keep: nothing

-- One row a wager that was not rejected. `offered`, `currency_filed`, `lowest` and `highest` are null where no filing was in force or,
-- for the limits, where none is filed for the kind and currency.
SELECT
    wager.table_id, wager.round_id, wager.round_key, wager.wager_id, wager.wager_key, wager.participant_key, wager.operator_id,
    wager.player_id, wager.kind, wager.currency, wager.stake, wager.settlement, wager.status, wager.play_mode, wager.filing_no,
    wager.source_file, wager.source_line,
    CASE
        WHEN filed.filing_no IS NULL THEN NULL
        ELSE wager.kind IN ('ante', 'play') OR (offered.kind IS NOT NULL AND wager.kind <> 'ante_bonus')
    END AS offered,
    list_contains(filed.currencies, wager.currency) AS currency_filed,
    allowed.min AS lowest,
    allowed.max AS highest,
    coalesce(offered.alone, true) AS alone,
    coalesce(filed.linked_equal, false) AS linked_equal
FROM settlements AS wager
LEFT JOIN filings AS filed ON filed.filing_no = wager.filing_no
LEFT JOIN filed_wagers AS offered ON offered.filing_no = wager.filing_no AND offered.kind = wager.kind
LEFT JOIN filed_limits AS allowed
    ON allowed.filing_no = wager.filing_no AND allowed.kind = wager.kind AND coalesce(allowed.currency, wager.currency) = wager.currency
WHERE wager.status <> 'rejected'
