-- query: player_night
-- subject: players
-- question: What did one player stake, hold and get back, round by round?
-- param player (text): the player
-- param day (date, optional): one gaming day
-- param operator (text, optional): their operator, where two operators use the id
-- example: resettle ask player_night --lake lake --param player=px8164459 --param day=2026-10-31

SELECT
    played.gaming_day,
    played.studio_id,
    played.operator_id,
    played.table_id,
    dealt.dated_at,
    played.round_id,
    played.currency,
    list(played.kind ORDER BY played.wager_key) AS kinds,
    max(played.hand_category) FILTER (played.kind IN ('ante', 'play', 'pair_plus')) AS hand_category,
    bool_or(played.kind = 'ante' AND played.outcome = 'forfeit') AS folded,
    sum(played.stake) AS staked,
    sum(played.expected + coalesce(played.expected_bonus, 0)) AS due,
    sum(coalesce(played.paid, 0) + coalesce(played.bonus_paid, 0)) AS handed_back,
    sum(played.delta) AS delta,
    list(DISTINCT played.settlement ORDER BY played.settlement) AS settlement
FROM settlements AS played
JOIN rounds AS dealt
    ON dealt.studio_id = played.studio_id AND dealt.gaming_day = played.gaming_day AND dealt.round_id = played.round_id AND dealt.is_current
WHERE
    played.player_id = $player
    AND ($day IS NULL OR played.gaming_day = $day)
    AND ($operator IS NULL OR played.operator_id = $operator)
GROUP BY played.gaming_day, played.operator_id, played.studio_id, played.table_id, dealt.dated_at, played.round_id, played.currency
ORDER BY dealt.dated_at, played.studio_id, played.round_id, played.operator_id, played.currency
