-- Why records could not be read, with the first of each.
SELECT reason, count(*) AS records, arg_min(source_file, (source_file, source_line)) AS source_file, arg_min(source_line, (source_file, source_line)) AS source_line
FROM quarantine
GROUP BY ALL
ORDER BY records DESC, reason
LIMIT 20
