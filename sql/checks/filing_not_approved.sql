-- check: filing_not_approved
-- title: The filing was approved after the gaming day
-- severity: critical
-- family: filing
-- reach: day
-- filing_key: approved_on
-- citation: 58 Pa. Code § 816a.2
-- question: Which filings that governed rounds of the day were approved only after it?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: approved_on is null — the filing does not say when it was approved
-- means: The filing that governed rounds of the day was approved only after that day.
-- matters: A game is approved before it is offered. What was dealt earlier was dealt without approval.
-- do: Check the dates in the filing against the approval itself. If they are right, report the rounds that were dealt before it.

SELECT
    gaming_day, filing_no, min(play_mode) AS play_mode, any_value(filing_file) AS source_file, any_value(filing_id) AS detail,
    format(
        'Table {} ran on gaming day {} under {{filing}}, which was approved only on {} ({{rule}}).',
        string_agg(DISTINCT table_id, ', ' ORDER BY table_id), gaming_day, approved_on
    ) AS message
FROM governed_tables
WHERE approved_on > gaming_day
GROUP BY gaming_day, filing_no, approved_on
