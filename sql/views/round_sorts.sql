-- view: round_sorts
-- title: How many current wagers of each sort a round has, their least and greatest stakes and their times
-- reach: round

-- The one pass over all wagers: what checks examine and suspect is counted here, and each wager is looked at only where something is.
-- is_forfeit: a fold forfeits it. has_bonus: a bonus is booked beside it. is_paid: some payment or bonus is more than nothing;
-- is_handed_back: both together are. is_off: what was paid is not what was due. has_place_time and has_pay_time: it is logged.
SELECT
    round_key,
    filing_no,
    kind,
    currency,
    status,
    settlement,
    settlement_reason,
    outcome IS NOT DISTINCT FROM 'forfeit' AS is_forfeit,
    bonus_paid IS NOT NULL AS has_bonus,
    coalesce(paid > 0, false) OR coalesce(bonus_paid > 0, false) AS is_paid,
    coalesce(paid, 0) + coalesce(bonus_paid, 0) > 0 AS is_handed_back,
    coalesce(delta <> 0, false) OR coalesce(bonus_paid <> coalesce(expected_bonus, 0), false) AS is_off,
    stake = 0 AS is_without_stake,
    id_repeated,
    placed_at IS NOT NULL AS has_place_time,
    paid_at IS NOT NULL AS has_pay_time,
    any_value(table_id) AS table_id,
    count(*) AS wagers,
    min(stake) AS least,
    max(stake) AS most,
    min(placed_at) AS first_placed_at,
    max(placed_at) AS last_placed_at,
    min(paid_at) AS first_paid_at,
    coalesce(bool_or(placed_at > paid_at), false) AS has_paid_early
FROM settled_wagers
GROUP BY ALL
