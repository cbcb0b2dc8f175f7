-- check: no_filing_in_force
-- title: No filing was in force
-- severity: critical
-- family: filing
-- reach: day
-- citation: 58 Pa. Code § 816a.2
-- question: At which tables did an operator's players take part without a filing in force?
-- examines: governed_tables
-- subject: rounds
-- means: Players of an operator took part at a table on a day on which no filing governs that table and operator.
-- matters: Nothing says what was due there, so nothing there can be settled: its wagers stand as unsettleable.
-- do: Mostly a file is missing from the folder of filings, or its tables, operators or dates leave this one out: add it and audit again. If
--   there is none, the game ran without one.

SELECT
    gaming_day, table_id, operator_id, play_mode, source_file, source_line,
    format(
        '{} at {}{} on gaming day {} under no filing in force: nothing says what was due there.',
        CASE WHEN rounds = 1 THEN '1 round was dealt' ELSE rounds || ' rounds were dealt' END,
        coalesce('table ' || table_id, 'a table that the log does not name'), coalesce(' with players of operator ' || operator_id, ''), gaming_day
    ) AS message
FROM governed_tables
WHERE filing_no IS NULL
