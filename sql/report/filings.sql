-- The filings that the run was judged by.
SELECT filing_id, revision, operator, studio_id, effective_from, effective_to, filing_fingerprint
FROM filings
ORDER BY ALL
