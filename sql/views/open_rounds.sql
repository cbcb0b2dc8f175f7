-- view: open_rounds
-- title: Rounds that are neither settled nor voided, with what is staked in them, in real money
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column round_id: the round
-- column status: open or interrupted
-- column dated_at: the time that dates the round
-- column currency: ISO 4217 code; null where nothing is staked
-- column wagers: how many wagers wait
-- column staked: what was staked with them
-- column handed_back: what was handed back on them, though nothing was due yet
-- column source_file: name of the file that the round was read from
-- column source_line: line in that file
SELECT
    dealt.studio_id,
    dealt.gaming_day,
    dealt.table_id,
    dealt.round_id,
    dealt.status,
    dealt.dated_at,
    wager.currency,
    count(wager.wager_id) AS wagers,
    CAST(coalesce(sum(wager.stake), 0) AS DECIMAL(38, 6)) AS staked,
    CAST(coalesce(sum(coalesce(wager.paid, 0) + coalesce(wager.bonus_paid, 0)), 0) AS DECIMAL(38, 6)) AS handed_back,
    dealt.source_file,
    dealt.source_line
FROM rounds AS dealt
LEFT JOIN settlements AS wager
    ON wager.studio_id = dealt.studio_id AND wager.gaming_day = dealt.gaming_day AND wager.round_id = dealt.round_id
    AND wager.settlement = 'pending' AND wager.play_mode = 'real'
WHERE dealt.is_current AND dealt.status IN ('open', 'interrupted')
GROUP BY ALL
