-- Rounds told by a feed that carries no cards, by studio and gaming day, and how many real-money wagers on them cannot be settled for it.
WITH cardless AS (
    SELECT studio_id, gaming_day, round_id
    FROM rounds
    WHERE is_current AND list_has_any(coalesce(feed_lacks, []), ['cards', 'cards_all_day'])
),
unsettled AS (
    SELECT studio_id, gaming_day, count(*) AS wagers
    FROM settlements
    WHERE play_mode = 'real' AND settlement_reason = 'no_cards_in_feed'
    GROUP BY ALL
)
SELECT studio_id, gaming_day, count(*) AS rounds, coalesce(any_value(unsettled.wagers), 0) AS wagers
FROM cardless
LEFT JOIN unsettled USING (studio_id, gaming_day)
GROUP BY studio_id, gaming_day
ORDER BY ALL
