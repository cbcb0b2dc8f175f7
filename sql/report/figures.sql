-- What each night comes to, over the small totals that nights leave: a line a subject, name, currency and gaming day. hold is in percent of
-- the cash staked.
WITH settled AS (
    SELECT
        gaming_day,
        currency,
        sum(handle) AS handle,
        coalesce(sum(handle) FILTER (funding = 'cash'), 0) AS cash,
        sum(hold) AS hold
    FROM daily_totals
    WHERE settlement = 'settled'
    GROUP BY gaming_day, currency
),
figures AS (
    SELECT 'rounds' AS subject, CAST(NULL AS VARCHAR) AS name, CAST(NULL AS VARCHAR) AS currency, gaming_day, sum(number) AS value
    FROM night_counts
    WHERE what = 'rounds'
    GROUP BY gaming_day
    UNION ALL
    SELECT 'wagers', NULL, NULL, gaming_day, sum(wagers) FROM daily_totals GROUP BY gaming_day
    UNION ALL
    SELECT 'handle', NULL, currency, gaming_day, handle FROM settled
    UNION ALL
    SELECT 'hold', NULL, currency, gaming_day, CAST(100 * hold / cash AS DECIMAL(38, 2)) FROM settled WHERE cash > 0
    UNION ALL
    SELECT 'severity', severity, NULL, gaming_day, sum(number) FROM night_counts WHERE what = 'findings' GROUP BY severity, gaming_day
    UNION ALL
    SELECT 'findings', name, NULL, gaming_day, sum(number)
    FROM night_counts
    WHERE what = 'findings' AND severity <> 'info'
    GROUP BY name, gaming_day
)
SELECT subject, name, currency, gaming_day, CAST(value AS DECIMAL(38, 6)) AS value
FROM figures
ORDER BY list_position(['rounds', 'wagers', 'handle', 'hold', 'severity', 'findings'], subject), name, currency, gaming_day
