-- check: missing_verification
-- title: A settled round was not verified
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which settled rounds, outside any void's scope, carry no verification?
-- examines: control_points where result_stands
-- subject: settled rounds
-- unless: verified_at is null and verified_by is null and bets_closed_at is null and sequence is null and first_card_at is null — the feed
--   carries no control points
-- suspects: control_points where result_stands and verified_at is null
-- means: The round was settled and the log shows no verification of its result.
-- matters: A result is to be verified by the dealer before it is posted. Without that, a misread card goes straight to the payout.
-- do: Ask whether the verification took place and was not logged, or did not take place. In the second case have posting made impossible
--   without it.

SELECT
    table_id, round_id, round_key, dealer_id, filing_no, source_file, source_line,
    format(
        'The round was settled{} and no verification is logged: the dealer''s was due before posting ({{rule}}).',
        CASE WHEN posted_at IS NULL THEN '' ELSE ' and posted at ' || clock(posted_at, posted_at_digits) END
    ) AS message
FROM control_points
WHERE result_stands AND verified_at IS NULL
    AND NOT (verified_by IS NULL AND bets_closed_at IS NULL AND sequence IS NULL AND first_card_at IS NULL)
