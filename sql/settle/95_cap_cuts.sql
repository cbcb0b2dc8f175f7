-- cap_cuts: what an aggregate payout limit takes from each wager. Where the winnings of a group (a player in a round, a hand
-- or a round; one filing, real and test play apart) exceed the limit, they are cut from the last wager on, or in proportion. `spared` is
-- what the cut leaves alone: all that the ante itself hands back where the limit names the ante bonus and not the ante.
CREATE OR REPLACE TEMP TABLE cap_cuts AS
WITH capped AS (
    SELECT filing_no, amount_to_micro(cap_amount) AS cap, cap_per, cap_kinds, cap_cut, coalesce(unit, 10000) AS unit
    FROM filings
    LEFT JOIN minor_units ON minor_units.currency = filings.cap_currency
    WHERE cap_amount IS NOT NULL
),
won AS (
    SELECT
        due.wager_key,
        capped.cap,
        capped.cap_cut,
        capped.unit,
        NOT list_contains(capped.cap_kinds, wagers.kind) AS is_bonus_alone,
        if(is_bonus_alone, due.due, 0) AS spared,
        if(is_bonus_alone, due.due, due.own_stake) AS no_winning,
        amount_to_micro(due.due + coalesce(due.due_bonus, 0) - no_winning) AS winnings,
        struct_pack(
            filing_no := capped.filing_no,
            round_key := wagers.round_key,
            play_mode := wagers.play_mode,
            hand_key := if(capped.cap_per = 'hand', wagers.hand_key, NULL),
            operator_id := if(capped.cap_per = 'player_round', wagers.operator_id, NULL),
            player_id := if(capped.cap_per = 'player_round', wagers.player_id, NULL)
        ) AS purse
    FROM (SELECT * FROM due_wagers WHERE is_capped) AS due
    JOIN capped ON capped.filing_no = due.filing_no
    JOIN current_wagers AS wagers ON wagers.wager_key = due.wager_key
    WHERE due.due + coalesce(due.due_bonus, 0) > no_winning
),
summed AS (
    SELECT
        won.*,
        sum(winnings) OVER (PARTITION BY purse) AS total,
        coalesce(
            sum(winnings) OVER (PARTITION BY purse ORDER BY wager_key DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
        ) AS later
    FROM won
),
shared AS (
    SELECT
        over_cap.*,
        share.quotient // unit AS units,
        share.quotient % unit * total + share.remainder AS remainder
    FROM (SELECT summed.*, portion(winnings, cap, total) AS share FROM summed WHERE total > cap) AS over_cap
),
ranked AS (
    SELECT
        shared.*,
        cap // unit - sum(units) OVER (PARTITION BY purse) AS left_over,
        row_number() OVER (PARTITION BY purse ORDER BY remainder DESC, wager_key) AS turn
    FROM shared
)
SELECT
    wager_key,
    spared,
    micro_to_amount(
        CASE
            WHEN cap_cut = 'last_first' THEN least(winnings, greatest(total - cap - later, 0))
            ELSE greatest(winnings - (units + if(turn <= left_over, 1, 0)) * unit, 0)
        END
    ) AS cut
FROM ranked;
