-- query: voids_paid_wrongly
-- subject: voids
-- question: Which voided wagers got back more or less than their stake?
-- param day (date, optional): one gaming day
-- example: resettle ask voids_paid_wrongly --lake lake

SELECT
    wager.studio_id,
    wager.gaming_day,
    wager.table_id,
    wager.round_id,
    wager.wager_id,
    wager.player_id,
    wager.kind,
    wager.currency,
    wager.stake,
    wager.expected AS due,
    coalesce(wager.paid, 0) + coalesce(wager.bonus_paid, 0) AS handed_back,
    wager.delta,
    dealt.void_reason AS reason,
    dealt.void_authorised_by AS authorised_by,
    wager.source_file,
    wager.source_line
FROM settlements AS wager
JOIN rounds AS dealt
    ON dealt.studio_id = wager.studio_id AND dealt.gaming_day = wager.gaming_day AND dealt.round_id = wager.round_id AND dealt.is_current
WHERE wager.settlement = 'voided' AND wager.delta <> 0 AND ($day IS NULL OR wager.gaming_day = $day)
ORDER BY wager.studio_id, wager.gaming_day, wager.table_id, wager.round_id, wager.wager_id
