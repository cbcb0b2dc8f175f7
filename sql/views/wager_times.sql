-- view: wager_times
-- title: A current wager with its times, its settlement and the control points of its round
-- reach: round
-- keep: nothing

SELECT
    wager.*,
    dealt.status AS round_status,
    dealt.bets_closed_at,
    dealt.bets_closed_at_digits,
    dealt.first_player_card_at,
    dealt.first_player_card_at_digits,
    dealt.posted_at,
    dealt.posted_at_digits
FROM settled_wagers AS wager
JOIN control_points AS dealt ON dealt.round_key = wager.round_key
