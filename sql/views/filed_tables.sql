-- view: filed_tables
-- title: The tables that a filing in force on the day names, and how many rounds each has
-- reach: day

WITH days AS (SELECT DISTINCT studio_id, gaming_day FROM current_rounds),
named AS (
    SELECT days.gaming_day, unnest(filed.tables) AS table_id, filed.filing_no
    FROM days
    JOIN filings AS filed
        ON filed.studio_id = days.studio_id
        AND days.gaming_day BETWEEN filed.effective_from AND coalesce(filed.effective_to, DATE '9999-12-31')
),
dealt AS (SELECT table_id, count(*) AS rounds FROM current_rounds GROUP BY table_id)
SELECT named.table_id, named.gaming_day, min(named.filing_no) AS filing_no, coalesce(max(dealt.rounds), 0) AS rounds
FROM named
LEFT JOIN dealt ON dealt.table_id = named.table_id
GROUP BY named.table_id, named.gaming_day
