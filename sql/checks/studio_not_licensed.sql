-- check: studio_not_licensed
-- title: The gaming day lies outside the studio's licence
-- severity: critical
-- family: filing
-- reach: day
-- filing_key: studio_licence
-- citation: 58 Pa. Code § 816a.1
-- question: Which filings governed rounds of the day while their studio licence was not valid?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: licence_from is null and licence_to is null — the filing gives no dates of the studio licence
-- means: The gaming day lies outside the days for which the filing gives the studio a licence.
-- matters: The studio's provider is to be licensed before it serves. Every round of such a day is in question.
-- do: Look for a renewal that has not been entered. If there is none, stop the studio's tables.

SELECT
    gaming_day, filing_no, min(play_mode) AS play_mode, any_value(filing_file) AS source_file, any_value(filing_id) AS detail,
    format(
        'Table {} ran on gaming day {} under {{filing}}, whose studio licence {}is valid from {} to {} ({{rule}}).',
        string_agg(DISTINCT table_id, ', ' ORDER BY table_id), gaming_day, coalesce(licence_ref || ' ', ''),
        coalesce(CAST(licence_from AS VARCHAR), 'an unnamed day'),
        coalesce(CAST(licence_to AS VARCHAR), 'an unnamed day')
    ) AS message
FROM governed_tables
WHERE gaming_day < licence_from OR gaming_day > licence_to
GROUP BY gaming_day, filing_no, licence_ref, licence_from, licence_to
