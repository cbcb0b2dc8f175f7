-- query: dealer_rounds
-- subject: dealers
-- question: Which rounds did a dealer deal, and in which of them was something wrong?
-- param dealer (text): the dealer
-- param day (date, optional): one gaming day
-- example: resettle ask dealer_rounds --lake lake --param dealer=D005

WITH wrong AS (
    SELECT studio_id, gaming_day, round_id, count(*) AS findings, list(DISTINCT check_id ORDER BY check_id) AS checks
    FROM findings
    WHERE severity <> 'info' AND round_id IS NOT NULL
    GROUP BY ALL
)
SELECT
    dealt.studio_id,
    dealt.gaming_day,
    dealt.table_id,
    dealt.dated_at,
    dealt.round_id,
    dealt.status,
    dealt.deck_id,
    dealt.verified_by,
    (SELECT count(*) FROM wagers WHERE studio_id = dealt.studio_id AND gaming_day = dealt.gaming_day AND round_id = dealt.round_id AND is_current) AS wagers,
    coalesce(wrong.findings, 0) AS findings,
    wrong.checks
FROM rounds AS dealt
LEFT JOIN wrong ON wrong.studio_id = dealt.studio_id AND wrong.gaming_day = dealt.gaming_day AND wrong.round_id = dealt.round_id
WHERE dealt.dealer_id = $dealer AND dealt.is_current AND ($day IS NULL OR dealt.gaming_day = $day)
ORDER BY dealt.dated_at, dealt.studio_id, dealt.round_id
