-- Money per wager kind and currency on settled wagers, from the night's totals; on cash stakes, beside what the filings keep on average
-- (null where that is not known of every wager): of ante and play, at optimal play.
SELECT
    studio_id,
    kind,
    currency,
    CAST(sum(wagers) AS BIGINT) AS wagers,
    CAST(sum(handle) AS DECIMAL(38, 6)) AS handle,
    CAST(sum(returned) AS DECIMAL(38, 6)) AS returned,
    CAST(sum(hold) AS DECIMAL(38, 6)) AS hold,
    CAST(
        CASE WHEN count(theoretical_hold) = count(*) FILTER (funding = 'cash') THEN sum(theoretical_hold) END AS DECIMAL(38, 6)
    ) AS theoretical_hold
FROM daily_totals
WHERE settlement = 'settled'
GROUP BY studio_id, kind, currency
ORDER BY studio_id, currency, list_position(['ante', 'play'], kind) NULLS LAST, kind
