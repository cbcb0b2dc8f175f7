-- check: missing_verification
-- title: A settled round was not verified
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which settled rounds, outside any void's scope, carry no verification?
-- examines: control_points where result_stands
-- subject: settled rounds

SELECT
    table_id, round_id, round_key, dealer_id, filing_no, source_file, source_line,
    format(
        'The round was settled{} and no verification is logged: the dealer''s was due before posting ({{rule}}).',
        CASE WHEN posted_at IS NULL THEN '' ELSE ' and posted at ' || clock(posted_at, posted_at_digits) END
    ) AS message
FROM control_points
WHERE result_stands AND verified_at IS NULL
