-- query: payout_lines_against_expectation
-- subject: cards
-- question: How often was each paytable line hit, beside what the deck gives on average?
-- param day (date, optional): one gaming day
-- param table (text, optional): one table
-- param kind (text, optional): one wager kind
-- example: resettle ask payout_lines_against_expectation --lake lake --param kind=pair_plus

-- Hands are the honest count: hundreds of wagers on one shared hand are one observation.
SELECT
    studio_id,
    table_id,
    filing_id,
    kind,
    line,
    odds,
    CAST(sum(hands_dealt) AS BIGINT) AS hands_dealt,
    CAST(sum(hands) AS BIGINT) AS hands,
    sum(expected_hands) AS expected_hands,
    CAST(sum(dealt) AS BIGINT) AS wagers_dealt,
    CAST(sum(hits) AS BIGINT) AS hits,
    sum(expected_hits) AS expected_hits
FROM payout_lines
WHERE
    line IS NOT NULL
    AND ($day IS NULL OR gaming_day = $day) AND ($table IS NULL OR table_id = $table) AND ($kind IS NULL OR kind = $kind)
GROUP BY studio_id, table_id, filing_id, kind, line, odds
ORDER BY studio_id, table_id, filing_id, kind, expected_hands, line
