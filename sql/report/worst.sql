-- The ten worst findings: the largest differences first, counted within each currency, since amounts of two do not compare; then by severity.
SELECT
    finding_id,
    check_id,
    severity,
    message,
    citation,
    gaming_day,
    table_id,
    round_id,
    wager_id,
    currency,
    delta,
    root_cause,
    source_file,
    source_line
FROM findings
WHERE severity <> 'info'
ORDER BY
    coalesce(delta, 0) = 0,
    CASE WHEN coalesce(delta, 0) <> 0 THEN row_number() OVER (PARTITION BY currency ORDER BY abs(coalesce(delta, 0)) DESC, finding_id) END,
    severity_rank(severity),
    gaming_day,
    check_id,
    source_file,
    source_line,
    finding_id
LIMIT 10
