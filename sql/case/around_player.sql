-- The other rounds of the players who are in question (the table asked_players), a row a round and currency: five before and after each
-- chosen round of theirs.
WITH played AS (
    SELECT
        s.studio_id, s.gaming_day, s.table_id, s.round_id, s.operator_id, s.player_id, s.currency,
        CAST(sum(s.stake) AS DECIMAL(38, 6)) AS staked,
        CAST(sum(s.expected + coalesce(s.expected_bonus, 0)) AS DECIMAL(38, 6)) AS due,
        CAST(sum(coalesce(s.paid, 0) + coalesce(s.bonus_paid, 0)) AS DECIMAL(38, 6)) AS paid,
        CAST(sum(s.delta) AS DECIMAL(38, 6)) AS delta,
        count(*) FILTER (s.delta <> 0) AS paid_wrongly
    FROM settlements AS s
    SEMI JOIN asked_players AS p ON p.studio_id = s.studio_id AND p.operator_id = s.operator_id AND p.player_id = s.player_id
    WHERE s.gaming_day BETWEEN (SELECT min(gaming_day) FROM chosen) - 1 AND (SELECT max(gaming_day) FROM chosen) + 1
    GROUP BY ALL
),
dated AS (
    SELECT p.*, r.dated_at, c.round_id IS NOT NULL AS is_chosen
    FROM played AS p
    JOIN rounds AS r ON r.is_current AND r.studio_id = p.studio_id AND r.gaming_day = p.gaming_day AND r.round_id = p.round_id
    LEFT JOIN chosen AS c ON c.studio_id = p.studio_id AND c.gaming_day = p.gaming_day AND c.round_id = p.round_id
),
shown AS (
    SELECT
        *,
        bool_or(is_chosen) OVER (
            PARTITION BY studio_id, operator_id, player_id ORDER BY dated_at, round_id, currency ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING
        ) AS is_near
    FROM dated
)
SELECT
    studio_id, operator_id, player_id, gaming_day, dated_at, table_id, round_id, currency, staked, due, paid, delta, paid_wrongly, is_chosen
FROM shown
WHERE is_near
ORDER BY studio_id, operator_id, player_id, dated_at, round_id, currency
