-- check: paytable_expiring
-- title: A filed paytable's licence ends within 90 days
-- severity: info
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day rest on a chapter that ends within 90 days?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day rests on a chapter of the regulation that ends within 90 days.
-- matters: A new filing takes time to be approved. Without one the tables stand still on the last day, or run without a licence.
-- do: Prepare the filing that is to follow, and note the day from which it must be in force.

SELECT
    gaming_day, filing_no, play_mode, any_value(filing_id) || ' ' || kind AS detail,
    string_agg(DISTINCT citation, ', ' ORDER BY citation) AS citation,
    string_agg(key, ', ' ORDER BY key) AS filing_key,
    any_value(source_file) AS source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, whose licence ends within 90 days: {} ({}).', tables, gaming_day,
        string_agg(message, '; ' ORDER BY key), string_agg(DISTINCT citation, ', ' ORDER BY citation)
    ) AS message
FROM licence_told
WHERE check_id = 'paytable_expiring'
GROUP BY gaming_day, filing_no, play_mode, tables, kind
