-- query: corrections_after_decision
-- subject: cards
-- question: Which cards were corrected after a decision or after the result was posted, and what was the change worth?
-- param day (date, optional): one gaming day
-- example: resettle ask corrections_after_decision --lake lake

SELECT
    found.check_id,
    found.severity,
    found.studio_id,
    found.gaming_day,
    found.table_id,
    found.round_id,
    found.dealer_id,
    list(corrected."to" || ' ' || corrected.position || ': ' || coalesce(read.card, '?') || ' to ' || corrected.card || ' by '
        || coalesce(corrected."by", 'nobody named') ORDER BY corrected.seq) FILTER (corrected.seq IS NOT NULL) AS corrections,
    found.message,
    found.source_file,
    found.source_line
FROM findings AS found
LEFT JOIN card_readings AS corrected
    ON corrected.studio_id = found.studio_id AND corrected.gaming_day = found.gaming_day AND corrected.round_id = found.round_id
    AND corrected.replaces IS NOT NULL AND corrected.is_current
LEFT JOIN card_readings AS read
    ON read.studio_id = corrected.studio_id AND read.gaming_day = corrected.gaming_day AND read.round_key = corrected.round_key
    AND read.seq = corrected.replaces
WHERE found.check_id IN ('correction_after_decision', 'correction_after_posting') AND ($day IS NULL OR found.gaming_day = $day)
GROUP BY ALL
ORDER BY found.studio_id, found.gaming_day, found.table_id, found.round_id, found.check_id
