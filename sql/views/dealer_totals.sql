-- view: dealer_totals
-- title: What each dealer dealt on a gaming day, in real money: rounds, wagers, handle and hold per currency, and what findings name
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column dealer_id: who dealt; null where the log does not say
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column rounds: rounds with a settled wager in this currency
-- column wagers: settled wagers
-- column handle: what was staked
-- column returned: what was handed back, bonus included
-- column hold: cash staked less what was handed back
-- column delta: handed back less what was due
-- column wrong_wagers: settled wagers that were not paid what was due
SELECT
    wager.studio_id,
    wager.gaming_day,
    dealt.dealer_id,
    wager.currency,
    count(DISTINCT wager.round_id) AS rounds,
    count(*) AS wagers,
    CAST(sum(wager.stake) AS DECIMAL(38, 6)) AS handle,
    CAST(sum(coalesce(wager.paid, 0) + coalesce(wager.bonus_paid, 0)) AS DECIMAL(38, 6)) AS returned,
    CAST(
        sum(CASE WHEN wager.funding = 'free' THEN 0 ELSE wager.stake END) - sum(coalesce(wager.paid, 0) + coalesce(wager.bonus_paid, 0))
        AS DECIMAL(38, 6)
    ) AS hold,
    CAST(sum(wager.delta) AS DECIMAL(38, 6)) AS delta,
    count(*) FILTER (wager.delta <> 0) AS wrong_wagers
FROM settlements AS wager
JOIN rounds AS dealt
    ON dealt.studio_id = wager.studio_id AND dealt.gaming_day = wager.gaming_day AND dealt.round_id = wager.round_id AND dealt.is_current
WHERE wager.play_mode = 'real' AND wager.settlement = 'settled'
GROUP BY ALL
