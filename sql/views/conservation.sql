-- view: conservation
-- title: Over settled and voided real-money wagers, what was paid less what was due is what findings name: the difference must be 0
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column operator_id: the operator
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column paid: what was handed back, bonus included
-- column due: what should have been
-- column explained: sum of the differences that findings name
-- column difference: paid less due less explained; anything but 0 means that the night is not to be trusted
WITH moved AS (
    SELECT
        studio_id,
        gaming_day,
        operator_id,
        currency,
        sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS paid,
        sum(expected + coalesce(expected_bonus, 0)) AS due
    FROM settlements
    WHERE play_mode = 'real' AND settlement IN ('settled', 'voided')
    GROUP BY ALL
),
named AS (
    SELECT studio_id, gaming_day, operator_id, currency, sum(delta) AS explained
    FROM findings
    WHERE delta IS NOT NULL
    GROUP BY ALL
)
SELECT
    coalesce(moved.studio_id, named.studio_id) AS studio_id,
    coalesce(moved.gaming_day, named.gaming_day) AS gaming_day,
    coalesce(moved.operator_id, named.operator_id) AS operator_id,
    coalesce(moved.currency, named.currency) AS currency,
    CAST(coalesce(paid, 0) AS DECIMAL(38, 6)) AS paid,
    CAST(coalesce(due, 0) AS DECIMAL(38, 6)) AS due,
    CAST(coalesce(explained, 0) AS DECIMAL(38, 6)) AS explained,
    CAST(coalesce(paid, 0) - coalesce(due, 0) - coalesce(explained, 0) AS DECIMAL(38, 6)) AS difference
FROM moved
FULL JOIN named
    ON named.studio_id IS NOT DISTINCT FROM moved.studio_id AND named.gaming_day IS NOT DISTINCT FROM moved.gaming_day
    AND named.operator_id IS NOT DISTINCT FROM moved.operator_id AND named.currency IS NOT DISTINCT FROM moved.currency
ORDER BY ALL
