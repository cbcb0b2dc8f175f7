-- view: filings_in_force
-- title: The filings that govern a table on the day of the chunk, and whose players
-- reach: round

-- One row a table, operator named (null: every operator) and filing. A filing governs from effective_from until the end of effective_to.
WITH days AS (
    SELECT DISTINCT studio_id, gaming_day FROM current_rounds
),
governing AS (
    SELECT filed.filing_no, filed.filing_id, unnest(filed.tables) AS table_id, coalesce(filed.operators, [NULL]) AS operators
    FROM days
    JOIN filings AS filed
        ON filed.studio_id = days.studio_id
        AND days.gaming_day BETWEEN filed.effective_from AND coalesce(filed.effective_to, DATE '9999-12-31')
)
SELECT filing_no, filing_id, table_id, unnest(operators) AS operator_id
FROM governing
