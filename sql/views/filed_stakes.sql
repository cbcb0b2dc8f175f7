-- view: filed_stakes
-- title: A current wager that was taken, beside what its filing says of its kind, currency and stake
-- reach: round
-- keep: nothing

-- One row a wager that was not rejected.
SELECT
    wager.table_id, wager.round_id, wager.round_key, wager.wager_id, wager.wager_key, wager.participant_key, wager.operator_id,
    wager.player_id, wager.kind, wager.currency, wager.stake, wager.settlement, wager.status, wager.play_mode, wager.filing_no,
    wager.source_file, wager.source_line,
    filed.* EXCLUDE (filing_no, kind, currency)
FROM staked_kinds AS filed
JOIN settlements AS wager
    ON wager.filing_no IS NOT DISTINCT FROM filed.filing_no AND wager.kind IS NOT DISTINCT FROM filed.kind
    AND wager.currency IS NOT DISTINCT FROM filed.currency
WHERE wager.status <> 'rejected'
