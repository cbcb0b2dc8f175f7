-- check: table_without_rounds
-- title: A filed table has no rounds
-- severity: medium
-- family: log
-- reach: day
-- filing_key: tables
-- citation: 58 Pa. Code § 816a.2
-- question: Which tables that a filing in force names have no round on a day on which their studio has some?
-- examines: filed_tables
-- subject: filed tables
-- means: A table that a filing in force names has no round on a day on which other tables of its studio have some.
-- matters: The table was closed, or its rounds are missing from the delivery. The log alone cannot tell which.
-- do: Ask the studio which of the two it was. For a table that was given up, end the filing or take the table out of it.

SELECT
    table_id, filing_no,
    'The table is filed and the log has no round of it on this gaming day: its rounds, or word that it was closed, are due '
        || '({filing}: {rule}).' AS message
FROM filed_tables
WHERE rounds = 0
