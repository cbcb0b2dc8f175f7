-- check: paid_before_posted
-- title: A wager was paid before the result was posted
-- severity: medium
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which settled rounds was something paid before the result was posted? Refunds of a void and of a cancelled wager do not count.
-- examines: timed_sorts by wagers where round_status = 'settled' and settlement in ('settled', 'unsettleable')
--   and is_handed_back
-- subject: wagers that were paid in a settled round
-- unless: posted_at is null — the log does not say when the result was posted
-- unless: not has_pay_time — the log does not say when the wager was paid
-- suspects: timed_sorts where round_status = 'settled' and first_paid_at < posted_at
-- means: In a settled round something was paid before the result was posted. Refunds of a void and of a cancelled wager do not count.
-- matters: Payment follows posting. Money that moves first was worked out from a result that nobody had confirmed.
-- do: Compare the clocks of the wallet and of the table. If the order is real, the operator settles from the raw readings and must be
--   stopped.

SELECT
    any_value(table_id) AS table_id, any_value(round_id) AS round_id, round_key, min(filing_no) AS filing_no,
    CASE WHEN bool_and(play_mode = 'test') THEN 'test' ELSE 'real' END AS play_mode,
    any_value(source_file) AS source_file, any_value(source_line) AS source_line,
    format(
        '{} paid, the first at {} ({}), before the result was posted at {}: payment follows posting ({{rule}}).',
        CASE WHEN count(*) = 1 THEN 'One wager was' ELSE count(*) || ' wagers were' END,
        clock(min(paid_at), arg_min(paid_at_digits, (paid_at, paid_at_digits))), arg_min(wager_id, (paid_at, wager_key)),
        clock(any_value(posted_at), any_value(posted_at_digits))
    ) AS message
FROM wager_times
WHERE round_status = 'settled' AND settlement IN ('settled', 'unsettleable') AND coalesce(paid, 0) + coalesce(bonus_paid, 0) > 0
    AND is_after(posted_at, posted_at_digits, paid_at, paid_at_digits)
GROUP BY round_key
