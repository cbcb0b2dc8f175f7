-- The books of each file read.
SELECT source_file, sha256, lines, blank, records, accepted, repeats, quarantined, other_day
FROM source_files
ORDER BY source_file, sha256
