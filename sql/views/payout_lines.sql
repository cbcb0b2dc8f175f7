-- view: payout_lines
-- title: How often each paytable line was hit by settled real-money wagers, and what it paid
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column kind: the wager kind; the line of an ante is that of its ante bonus
-- column line: the paytable line; null: no line was hit
-- column odds: its price as filed
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column hits: settled wagers that hit it, forfeited ones apart
-- column wagers: all settled wagers of the kind at the table in the currency, forfeited ones apart
-- column hands: different hands among the hits: wagers on one shared hand are one observation
-- column staked: what was staked on the hits
-- column due: what was due on the hits
-- column handed_back: what was handed back on them
SELECT
    studio_id,
    gaming_day,
    table_id,
    kind,
    line,
    odds,
    currency,
    count(*) AS hits,
    CAST(sum(count(*)) OVER (PARTITION BY studio_id, gaming_day, table_id, kind, currency) AS BIGINT) AS wagers,
    count(DISTINCT hand_key) AS hands,
    CAST(sum(stake) AS DECIMAL(38, 6)) AS staked,
    CAST(sum(expected + coalesce(expected_bonus, 0)) AS DECIMAL(38, 6)) AS due,
    CAST(sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS DECIMAL(38, 6)) AS handed_back
FROM settlements
WHERE play_mode = 'real' AND settlement = 'settled' AND outcome <> 'forfeit'
GROUP BY studio_id, gaming_day, table_id, kind, line, odds, currency
