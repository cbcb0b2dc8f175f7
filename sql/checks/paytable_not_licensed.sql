-- check: paytable_not_licensed
-- title: A filed price is not licensed
-- severity: high
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day file a price or paytable that is not licensed?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day files a price or paytable that the regulation does not list.
-- matters: An operator may choose among the licensed tables only. Every round under another one is in breach, however well it is paid.
-- do: Run `resettle filing check` on the file: it names the line and what is licensed. File a listed price, or show the approval for this
--   one.

SELECT
    gaming_day, filing_no, play_mode, any_value(filing_id) || ' ' || kind AS detail,
    string_agg(DISTINCT citation, ', ' ORDER BY citation) AS citation,
    string_agg(key, ', ' ORDER BY key) AS filing_key,
    any_value(source_file) AS source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, which files what is not licensed: {} ({}).', tables, gaming_day,
        string_agg(message, '; ' ORDER BY key), string_agg(DISTINCT citation, ', ' ORDER BY citation)
    ) AS message
FROM licence_told
WHERE check_id = 'paytable_not_licensed'
GROUP BY gaming_day, filing_no, play_mode, tables, kind
