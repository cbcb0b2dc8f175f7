-- view: telling_changes
-- title: What differs between a telling of a round and the one before it, field by field
-- reach: round

-- One row a field that differs. before and after are null where the telling lacks the field. weighs: money, cards, decision or void changed.
-- What is filled in as an open round is completed does not weigh: there was nothing to change.
WITH involved AS (
    SELECT round_key FROM round_tellings
    UNION
    SELECT earlier_key FROM round_tellings
),
round_fields AS (
    UNPIVOT (
        SELECT round_key, CAST(COLUMNS(* EXCLUDE (
            studio_id, gaming_day, round_id, round_key, revision, recorded_at, is_current, conflicting, dated_at, source_file, source_line,
            opened_at_digits, bets_closed_at_digits, dealer_revealed_at_digits, verified_at_digits, posted_at_digits
        )) AS VARCHAR)
        FROM rounds SEMI JOIN involved USING (round_key)
    ) ON COLUMNS(* EXCLUDE (round_key)) INTO NAME field VALUE told
),
hand_fields AS (
    SELECT round_key, 'hand ' || hand_id AS part, 'cards' AS field, CAST(cards AS VARCHAR) AS told
    FROM hands SEMI JOIN involved USING (round_key)
    WHERE cards IS NOT NULL
),
reading_fields AS (
    UNPIVOT (
        SELECT
            round_key, 'reading ' || coalesce(CAST(seq AS VARCHAR), '#' || reading_no) AS part, "to", CAST(position AS VARCHAR) AS position, card, source,
            CAST(read_at AS VARCHAR) AS read_at, CAST(replaces AS VARCHAR) AS replaces, "by", device_id
        FROM card_readings SEMI JOIN involved USING (round_key)
    ) ON COLUMNS(* EXCLUDE (round_key, part)) INTO NAME field VALUE told
),
participant_fields AS (
    UNPIVOT (
        SELECT
            round_key, concat_ws(' ', 'player', operator_id, player_id, session_id, hand_id) AS part, currency, decision,
            CAST(decided_at AS VARCHAR) AS decided_at, decided_by, play_mode
        FROM participants SEMI JOIN involved USING (round_key)
    ) ON COLUMNS(* EXCLUDE (round_key, part)) INTO NAME field VALUE told
),
wager_fields AS (
    UNPIVOT (
        SELECT
            round_key, 'wager ' || wager_id AS part, concat_ws(' ', operator_id, player_id, session_id, hand_id) AS player, currency, kind,
            money(stake, NULL) AS stake, CAST(placed_at AS VARCHAR) AS placed_at,
            CASE WHEN paid IS NOT NULL THEN money(paid, NULL) END AS paid,
            CAST(paid_at AS VARCHAR) AS paid_at,
            CASE WHEN bonus_paid IS NOT NULL THEN money(bonus_paid, NULL) END AS bonus_paid,
            status, funding
        FROM wagers SEMI JOIN involved USING (round_key)
    ) ON COLUMNS(* EXCLUDE (round_key, part)) INTO NAME field VALUE told
),
meter_fields AS (
    UNPIVOT (
        SELECT
            round_key, concat_ws(' ', 'meter', meter_id, seq) AS part, money(before, NULL) AS before, money(contribution, NULL) AS contribution,
            money(paid, NULL) AS paid, money(reseed, NULL) AS reseed, money(after, NULL) AS after, currency
        FROM meters SEMI JOIN involved USING (round_key)
    ) ON COLUMNS(* EXCLUDE (round_key, part)) INTO NAME field VALUE told
),
displayed_fields AS (
    SELECT
        round_key, concat_ws(' ', 'displayed', what, operator_id, kind, line, currency) AS part, what AS field,
        concat_ws(' ', price, money(min, NULL), money(max, NULL), decks) AS told
    FROM displayed SEMI JOIN involved USING (round_key)
),
fields AS (
    SELECT round_key, 'the round' AS part, 1 AS part_no, field, told FROM round_fields
    UNION ALL
    SELECT round_key, part, 2, field, told FROM wager_fields
    UNION ALL
    SELECT round_key, part, 3, field, told FROM hand_fields
    UNION ALL
    SELECT round_key, part, 4, field, told FROM reading_fields
    UNION ALL
    SELECT round_key, part, 5, field, told FROM participant_fields
    UNION ALL
    SELECT round_key, part, 6, field, told FROM meter_fields
    UNION ALL
    SELECT round_key, part, 7, field, told FROM displayed_fields
),
sides AS (
    SELECT pair.round_key, true AS is_later, fields.* EXCLUDE (round_key)
    FROM round_tellings AS pair JOIN fields ON fields.round_key = pair.round_key
    UNION ALL
    SELECT pair.round_key, false, fields.* EXCLUDE (round_key)
    FROM round_tellings AS pair JOIN fields ON fields.round_key = pair.earlier_key
),
compared AS (
    SELECT
        round_key, part_no, part, field,
        string_agg(told, ' / ' ORDER BY told) FILTER (NOT is_later) AS before,
        string_agg(told, ' / ' ORDER BY told) FILTER (is_later) AS after
    FROM sides
    GROUP BY ALL
)
SELECT
    compared.*,
    CASE part_no
        WHEN 1 THEN field = 'status' OR field = 'has_void' OR field LIKE 'void_%'
        WHEN 2 THEN field IN ('player', 'currency', 'kind', 'stake', 'paid', 'bonus_paid', 'status', 'funding')
        WHEN 3 THEN true
        WHEN 4 THEN field IN ('to', 'position', 'card', 'replaces')
        WHEN 5 THEN field IN ('currency', 'decision', 'decided_by')
        WHEN 6 THEN true
        ELSE false
    END
    AND NOT (pair.completes AND (before IS NULL OR (part_no = 1 AND field IN ('status', 'has_void')))) AS weighs
FROM compared
JOIN round_tellings AS pair ON pair.round_key = compared.round_key
WHERE before IS DISTINCT FROM after
