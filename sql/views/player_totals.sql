-- view: player_totals
-- title: What each player staked and got back on a gaming day, in real money, per currency and settlement
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column operator_id: the operator whose player it is
-- column player_id: the player, as the operator names them
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column settlement: settled, voided, unsettleable, pending or not_accepted: each on a line of its own
-- column rounds: rounds with such a wager
-- column wagers: how many wagers
-- column handle: what was staked, free stakes included
-- column free_handle: what was staked with free wagers
-- column returned: what was handed back, bonus included
-- column due: what should have been; null where nothing can be said to be due
-- column overpaid: what was handed back too much
-- column underpaid: what was handed back too little
SELECT
    studio_id,
    gaming_day,
    operator_id,
    player_id,
    currency,
    settlement,
    count(DISTINCT round_id) AS rounds,
    count(*) AS wagers,
    CAST(sum(stake) AS DECIMAL(38, 6)) AS handle,
    CAST(coalesce(sum(stake) FILTER (funding = 'free'), 0) AS DECIMAL(38, 6)) AS free_handle,
    CAST(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS returned,
    CAST(sum(expected + coalesce(expected_bonus, 0)) AS DECIMAL(38, 6)) AS due,
    CAST(coalesce(sum(delta) FILTER (delta > 0), 0) AS DECIMAL(38, 6)) AS overpaid,
    CAST(coalesce(-sum(delta) FILTER (delta < 0), 0) AS DECIMAL(38, 6)) AS underpaid
FROM settlements
WHERE play_mode = 'real'
GROUP BY ALL
