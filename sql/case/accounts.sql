-- Each player's money in the chosen rounds, in one currency: staked, due, reported as paid, and what the wallet moved.
WITH reported AS (
    SELECT
        studio_id, gaming_day, table_id, round_id, operator_id, player_id, currency,
        CAST(sum(stake) AS DECIMAL(38, 6)) AS staked,
        CAST(CASE WHEN count(expected) = count(*) FILTER (settlement <> 'not_accepted')
            THEN coalesce(sum(expected + coalesce(expected_bonus, 0)), 0) END AS DECIMAL(38, 6)) AS due,
        CAST(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS paid,
        CAST(sum(delta) AS DECIMAL(38, 6)) AS delta
    FROM settlements
    SEMI JOIN chosen USING (studio_id, gaming_day, round_id)
    GROUP BY ALL
),
booked AS (
    SELECT * FROM reconciliation SEMI JOIN chosen USING (studio_id, gaming_day, round_id)
)
SELECT
    coalesce(r.studio_id, b.studio_id) AS studio_id,
    coalesce(r.gaming_day, b.gaming_day) AS gaming_day,
    coalesce(r.round_id, b.round_id) AS round_id,
    coalesce(r.operator_id, b.operator_id) AS operator_id,
    coalesce(r.player_id, b.player_id) AS player_id,
    coalesce(r.currency, b.currency) AS currency,
    r.staked, r.due, r.paid, r.delta,
    b.debited, b.cancelled, b.credited, b.adjusted, b.difference, b.status
FROM reported AS r
FULL JOIN booked AS b
    ON b.studio_id = r.studio_id AND b.gaming_day = r.gaming_day AND b.round_id = r.round_id
    AND b.operator_id = coalesce(r.operator_id, '') AND b.player_id = coalesce(r.player_id, '') AND b.currency = coalesce(r.currency, '')
ORDER BY ALL
