-- view: timed_sorts
-- title: The sorts of wagers of each round with the control points of the round
-- reach: round

SELECT
    sorts.*,
    dealt.status AS round_status,
    dealt.opened_at,
    dealt.bets_closed_at,
    dealt.first_player_card_at,
    dealt.posted_at
FROM round_sorts AS sorts
JOIN control_points AS dealt ON dealt.round_key = sorts.round_key
