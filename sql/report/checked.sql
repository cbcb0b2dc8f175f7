-- How many checks examined something.
SELECT count(DISTINCT check_id) FILTER (examined > 0) AS checked, count(DISTINCT check_id) AS known
FROM coverage
