-- check: posted_before_verified
-- title: A result was posted before it was verified
-- severity: critical
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which settled rounds, outside any void's scope, were posted before they were verified?
-- examines: control_points where result_stands
-- subject: settled rounds
-- unless: verified_at is null — the round was not verified
-- unless: posted_at is null — the log does not say when the result was posted
-- suspects: control_points where result_stands and verified_at > posted_at
-- means: The result was posted first and verified afterwards.
-- matters: A verification after the fact verifies nothing: players had seen the result, and money may have moved.
-- do: Look at whether anything was changed between posting and verification. If the order is the same on all rounds of a table, its
--   software posts by itself.

SELECT
    table_id, round_id, round_key, dealer_id, filing_no, source_file, source_line,
    format(
        'The result was posted at {} and verified at {}: verification was due first ({{rule}}).',
        clock(posted_at, posted_at_digits), clock(verified_at, verified_at_digits)
    ) AS message
FROM control_points
WHERE result_stands AND is_after(verified_at, verified_at_digits, posted_at, posted_at_digits)
