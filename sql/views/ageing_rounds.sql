-- view: ageing_rounds
-- title: The rounds that are open or interrupted, and for how long
-- reach: day

-- The age is taken at the newest time in the studio's deliveries; the limit is the shortest filed for the table.
SELECT
    dealt.table_id, dealt.round_id, dealt.round_key, dealt.dealer_id, dealt.status, dealt.dated_at, dealt.source_file, dealt.source_line,
    any_value(newest_times.newest) AS newest,
    min(filed.open_round_limit_s) AS limit_s,
    min(filed.filing_no) AS filing_no
FROM current_rounds AS dealt
LEFT JOIN newest_times ON newest_times.studio_id = dealt.studio_id
LEFT JOIN filings AS filed
    ON filed.studio_id = dealt.studio_id
    AND list_contains(filed.tables, dealt.table_id)
    AND dealt.gaming_day BETWEEN filed.effective_from AND coalesce(filed.effective_to, DATE '9999-12-31')
WHERE dealt.status IN ('open', 'interrupted')
GROUP BY ALL
