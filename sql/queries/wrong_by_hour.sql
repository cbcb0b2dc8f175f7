-- query: wrong_by_hour
-- subject: money
-- question: When did it begin: wagers paid wrongly at each table, hour by hour?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- example: resettle ask wrong_by_hour --lake lake --param table=TCP-01

SELECT
    dealt.studio_id,
    dealt.gaming_day,
    dealt.table_id,
    time_bucket(INTERVAL 1 HOUR, dealt.dated_at) AS hour,
    wager.kind,
    wager.currency,
    count(*) AS wagers,
    count(*) FILTER (wager.delta <> 0) AS wrong_wagers,
    sum(wager.delta) AS delta,
    arg_min(dealt.round_id, (dealt.dated_at, dealt.round_id)) FILTER (wager.delta <> 0) AS first_wrong_round
FROM settlements AS wager
JOIN rounds AS dealt
    ON dealt.studio_id = wager.studio_id AND dealt.gaming_day = wager.gaming_day AND dealt.round_id = wager.round_id AND dealt.is_current
WHERE
    wager.play_mode = 'real' AND wager.settlement IN ('settled', 'voided')
    AND ($day IS NULL OR wager.gaming_day = $day) AND ($table IS NULL OR wager.table_id = $table)
GROUP BY ALL
HAVING wrong_wagers > 0
ORDER BY dealt.studio_id, dealt.gaming_day, dealt.table_id, hour, wager.kind, wager.currency
