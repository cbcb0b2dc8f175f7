-- What was not checked, wholly or in part, and why. The counts that coverage gives after each reason are left to the column not_examined.
WITH told AS (
    SELECT check_id, studio_id, gaming_day, table_id, examined, not_examined, string_split(reason, '; ') AS parts
    FROM coverage
),
reasons AS (
    SELECT check_id, regexp_replace(part, ': \d+$', '') AS why, count(*) AS times
    FROM (SELECT check_id, unnest(parts) AS part FROM told)
    GROUP BY check_id, why
)
SELECT
    told.check_id,
    (SELECT string_agg(why, '; ' ORDER BY times DESC, why) FROM reasons WHERE reasons.check_id = told.check_id) AS reason,
    count(*) FILTER (told.parts IS NOT NULL) AS tables,
    CAST(sum(told.examined) AS BIGINT) AS examined,
    CAST(sum(told.not_examined) AS BIGINT) AS not_examined
FROM told
GROUP BY told.check_id
-- A table at which there was nothing of the kind is no gap where the check had something to look at elsewhere.
HAVING
    count(told.parts) > 0
    AND (sum(told.examined) = 0 OR sum(told.not_examined) > 0 OR bool_or(coalesce(contains(told.parts::VARCHAR, ' given'), false)))
ORDER BY sum(told.examined) > 0, reason, told.check_id
