-- check: no_filing_in_force
-- title: No filing was in force
-- severity: critical
-- family: filing
-- reach: day
-- citation: 58 Pa. Code § 816a.2
-- question: At which tables did an operator's players take part without a filing in force?
-- examines: governed_tables
-- subject: rounds

SELECT
    gaming_day, table_id, operator_id, play_mode, source_file, source_line,
    format(
        '{} at table {}{} on gaming day {} under no filing in force: nothing says what was due there.',
        CASE WHEN rounds = 1 THEN '1 round was dealt' ELSE rounds || ' rounds were dealt' END,
        table_id, coalesce(' with players of operator ' || operator_id, ''), gaming_day
    ) AS message
FROM governed_tables
WHERE filing_no IS NULL
