-- The chosen rounds' tables round by round: five rounds before and after each chosen one, and the chosen ones.
WITH tables AS (
    SELECT DISTINCT studio_id, table_id FROM rounds SEMI JOIN chosen USING (studio_id, gaming_day, round_id) WHERE is_current
),
near AS (
    SELECT r.*, c.round_id IS NOT NULL AS is_chosen
    FROM rounds AS r
    SEMI JOIN tables ON tables.studio_id = r.studio_id AND tables.table_id = r.table_id
    LEFT JOIN chosen AS c ON c.studio_id = r.studio_id AND c.gaming_day = r.gaming_day AND c.round_id = r.round_id
    WHERE r.is_current
        AND r.gaming_day BETWEEN (SELECT min(gaming_day) FROM chosen) - 1 AND (SELECT max(gaming_day) FROM chosen) + 1
),
shown AS (
    SELECT
        studio_id, gaming_day, table_id, round_id, dated_at, sequence, status, dealer_id, deck_id, software_version, is_chosen,
        bool_or(is_chosen) OVER (
            PARTITION BY studio_id, table_id ORDER BY dated_at, round_id ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING
        ) AS is_near
    FROM near
),
money AS (
    SELECT studio_id, gaming_day, round_id, count(*) AS wagers, count(*) FILTER (delta <> 0) AS wrong
    FROM settlements
    GROUP BY ALL
),
found AS (
    SELECT studio_id, gaming_day, round_id, count(*) FILTER (severity <> 'info') AS findings FROM findings GROUP BY ALL
)
SELECT
    s.studio_id, s.table_id, s.gaming_day, s.dated_at, s.round_id, s.sequence, s.status, s.dealer_id, s.deck_id, s.software_version,
    d.cards AS dealer_cards, coalesce(m.wagers, 0) AS wagers, coalesce(m.wrong, 0) AS paid_wrongly, coalesce(f.findings, 0) AS findings,
    s.is_chosen
FROM shown AS s
LEFT JOIN hands AS d
    ON d.studio_id = s.studio_id AND d.gaming_day = s.gaming_day AND d.round_id = s.round_id AND d.is_dealer AND d.is_current
LEFT JOIN money AS m ON m.studio_id = s.studio_id AND m.gaming_day = s.gaming_day AND m.round_id = s.round_id
LEFT JOIN found AS f ON f.studio_id = s.studio_id AND f.gaming_day = s.gaming_day AND f.round_id = s.round_id
WHERE s.is_near
ORDER BY s.studio_id, s.table_id, s.dated_at, s.round_id
