-- view: timed_sorts
-- title: The sorts of wagers of each round with the control points of the round
-- reach: round

SELECT
    sorts.table_id, sorts.round_key, sorts.kind, sorts.status, sorts.settlement, sorts.is_handed_back, sorts.has_place_time, sorts.has_pay_time,
    sorts.wagers, sorts.first_placed_at, sorts.last_placed_at, sorts.first_paid_at,
    dealt.status AS round_status,
    dealt.opened_at,
    dealt.bets_closed_at,
    dealt.first_player_card_at,
    dealt.posted_at
FROM round_sorts AS sorts
JOIN control_points AS dealt ON dealt.round_key = sorts.round_key
