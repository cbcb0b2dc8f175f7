-- How many incidents of each extent, and how many findings are in them.
SELECT extent, count(*) AS incidents, CAST(sum(hits) AS BIGINT) AS findings
FROM incidents
GROUP BY extent
ORDER BY list_position(['systematic', 'unexplained', 'isolated'], extent)
