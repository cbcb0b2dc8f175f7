-- query: quarantine_reasons
-- subject: the night
-- question: What could not be read, how often and why, and where does the first such record stand?
-- param file (text, optional): one source file
-- example: resettle ask quarantine_reasons --lake lake

SELECT
    reason,
    count(*) AS records,
    count(DISTINCT source_file) AS files,
    arg_min(source_file, (source_file, source_line)) AS first_file,
    arg_min(source_line, (source_file, source_line)) AS first_line
FROM quarantine
WHERE $file IS NULL OR source_file = $file
GROUP BY reason
ORDER BY records DESC, reason
