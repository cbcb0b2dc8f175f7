-- view: control_points
-- title: A current round with the times that the control checks compare
-- reach: round

-- revealed_at is dealer_revealed_at, else the first dealer card where the filing says that dealer cards are read at the reveal.
-- result_stands: the round is settled, and no void takes all that was staked in it.
WITH scopes AS (
    SELECT
        round_key,
        bool_or(settlement = 'voided') AS has_voided,
        bool_or(settlement NOT IN ('voided', 'not_accepted')) AS has_standing
    FROM round_sorts
    GROUP BY round_key
)
SELECT
    dealt.*,
    cards.* EXCLUDE (round_key),
    coalesce(dealt.dealer_revealed_at, CASE WHEN filed.read_at_reveal THEN cards.first_dealer_card_at END) AS revealed_at,
    CASE
        WHEN dealt.dealer_revealed_at IS NOT NULL THEN dealt.dealer_revealed_at_digits
        WHEN filed.read_at_reveal THEN cards.first_dealer_card_at_digits
    END AS revealed_at_digits,
    dealt.status = 'settled'
        AND NOT (coalesce(scopes.has_voided, false) AND NOT scopes.has_standing)
        AND NOT (dealt.has_void AND coalesce(list_contains(dealt.void_hand_ids, 'dealer'), false)) AS result_stands,
    filed.filing_no,
    filed.supervisors
FROM current_rounds AS dealt
LEFT JOIN first_cards AS cards ON cards.round_key = dealt.round_key
LEFT JOIN scopes ON scopes.round_key = dealt.round_key
LEFT JOIN filed_at_table AS filed
    ON filed.studio_id = dealt.studio_id AND filed.table_id = dealt.table_id AND filed.gaming_day = dealt.gaming_day
