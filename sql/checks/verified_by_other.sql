-- check: verified_by_other
-- title: A result was verified by neither the dealer nor a supervisor
-- severity: medium
-- family: control
-- reach: round
-- filing_key: supervisors
-- citation: 58 Pa. Code § 816a.1
-- question: Which settled rounds, outside any void's scope, were verified by someone who is neither their dealer nor a filed supervisor?
-- examines: control_points where result_stands and verified_by is not null
-- subject: rounds that say who verified them
-- unless: filing_no is null — no filing in force says who may verify
-- unless: dealer_id is null and not list_contains(supervisors, verified_by) — the log does not name the dealer
-- suspects: control_points where result_stands and verified_by <> dealer_id and not list_contains(supervisors, verified_by)
-- means: The result was verified by somebody who is neither the dealer of the round nor one of the supervisors that the filing names.
-- matters: Who may verify is part of what was filed. A verification by anyone else is a signature without authority.
-- do: If the person is a supervisor, file them. If a change of dealers was logged too late, correct the dealer; otherwise ask how that
--   person came to the table.

SELECT
    table_id, round_id, round_key, dealer_id, filing_no, source_file, source_line,
    format(
        'The result was verified by {}, who is neither its dealer {} nor a filed supervisor: the dealer''s verification was due ({{filing}}: {{rule}}).',
        verified_by, dealer_id
    ) AS message
FROM control_points
WHERE result_stands AND verified_by <> dealer_id AND NOT list_contains(supervisors, verified_by)
