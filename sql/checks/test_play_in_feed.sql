-- check: test_play_in_feed
-- title: Test play in the feed
-- severity: info
-- family: log
-- reach: round
-- question: In which rounds did players of a test environment take part?
-- examines: round_operators by participants
-- subject: participants
-- suspects: round_operators where testing > 0
-- means: Players of a test environment took part in the round. Their wagers are checked and stand in no total, and their findings are for
--   information.
-- matters: Test play in a live feed swells counts and, where it is not marked, money. It also shows that test accounts reach live tables.
-- do: Have the studio confirm the accounts. They should be few and known.

SELECT
    any_value(table_id) AS table_id, any_value(round_id) AS round_id, round_key, 'test' AS play_mode,
    any_value(source_file) AS source_file, any_value(source_line) AS source_line,
    format(
        '{} in test mode took part: {} wagers are checked and stand in no total.',
        CASE WHEN count(*) = 1 THEN 'One player' ELSE count(*) || ' players' END,
        CASE WHEN count(*) = 1 THEN 'their' ELSE 'all their' END
    ) AS message
FROM current_participants
WHERE play_mode = 'test'
GROUP BY round_key
