-- Test play, which stands in no total.
SELECT count(*) AS wagers
FROM settlements
WHERE play_mode = 'test'
