-- How far the wallet was compared with the report: each player in each round and currency, test play apart.
SELECT
    count(*) FILTER (examined) AS compared,
    count(*) FILTER (NOT examined) AS unreached,
    count(*) FILTER (examined AND difference <> 0) AS differing
FROM reconciliation
WHERE play_mode IS DISTINCT FROM 'test'
