-- query: files_read
-- subject: the night
-- question: Which files were read, and do their books balance?
-- param file (text, optional): one source file
-- example: resettle ask files_read --lake lake

SELECT
    source_file, sha256, bytes, lines, blank, records, accepted, repeats, quarantined, other_day,
    records = accepted + repeats + quarantined + other_day AS balances
FROM source_files
WHERE $file IS NULL OR source_file = $file
ORDER BY source_file, sha256
