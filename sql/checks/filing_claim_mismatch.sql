-- check: filing_claim_mismatch
-- title: The table claims another filing than the one in force
-- severity: high
-- family: filing
-- reach: day
-- filing_key: id
-- citation: 58 Pa. Code § 816a.2
-- question: Which tables say that they run under a filing that is not the one in force there?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- means: The log says that the table runs under one filing, and another one was in force. The one in force settles.
-- matters: The table may be running the rules of an older revision, and every one of its payouts is then a candidate for an error.
-- do: Ask which version is loaded at the table. Compare the findings on money of the same day, which show whether it pays by the old filing
--   too.

SELECT
    gaming_day, table_id, operator_id, filing_no, play_mode, source_file, source_line,
    format(
        '{} at table {}{} on gaming day {} claimed to run under {}, where {{filing}} was in force and settles ({{rule}}).',
        CASE WHEN rounds_claiming_other = 1 THEN '1 round' ELSE rounds_claiming_other || ' rounds' END,
        table_id, coalesce(' with players of operator ' || operator_id, ''), gaming_day,
        list_aggregate(list_transform(claimed_others, lambda claimed: '"' || claimed || '"'), 'string_agg', ', ')
    ) AS message
FROM governed_tables
WHERE rounds_claiming_other > 0
