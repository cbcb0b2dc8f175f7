-- view: filed_at_table
-- title: What the filings in force say of a table
-- reach: round

-- One row a studio, table and day. Several operators may have filed for one table: who may verify is then who any of them names,
-- the limit on open rounds the shortest, and dealer cards count as read at the reveal only where all say so.
SELECT
    dealt.studio_id,
    dealt.table_id,
    dealt.gaming_day,
    min(filed.filing_no) AS filing_no,
    list_sort(list_distinct(flatten(list(coalesce(filed.supervisors, []))))) AS supervisors,
    bool_and(filed.dealer_cards_read = 'at_reveal') AS read_at_reveal,
    min(filed.open_round_limit_s) AS open_round_limit_s
FROM (SELECT DISTINCT studio_id, table_id, gaming_day FROM current_rounds) AS dealt
JOIN filings AS filed
    ON filed.studio_id = dealt.studio_id
    AND list_contains(filed.tables, dealt.table_id)
    AND dealt.gaming_day BETWEEN filed.effective_from AND coalesce(filed.effective_to, DATE '9999-12-31')
GROUP BY ALL
