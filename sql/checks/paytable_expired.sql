-- check: paytable_expired
-- title: A filed paytable's licence has ended
-- severity: critical
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day rest on a chapter that was no longer in force?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day rests on a chapter of the regulation that was no longer in force, or not
--   yet.
-- matters: Chapter 649b is temporary. From the day on which it ends, its paytables and its Player Bonus may not be offered.
-- do: Take the paytable off the tables and file a permanent one. If the chapter was extended, bring the catalogue of licensed tables up to
--   date.

SELECT
    gaming_day, filing_no, play_mode, any_value(filing_id) || ' ' || kind AS detail,
    string_agg(DISTINCT citation, ', ' ORDER BY citation) AS citation,
    string_agg(key, ', ' ORDER BY key) AS filing_key,
    any_value(source_file) AS source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, whose licence has ended: {} ({}).', tables, gaming_day,
        string_agg(message, '; ' ORDER BY key), string_agg(DISTINCT citation, ', ' ORDER BY citation)
    ) AS message
FROM licence_told
WHERE check_id = 'paytable_expired'
GROUP BY gaming_day, filing_no, play_mode, tables, kind
