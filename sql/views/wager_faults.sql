-- view: wager_faults
-- title: Settled and voided wagers whose payment is not what was due, and payments on open rounds, each with the one fault that it is
-- reach: round

-- The first fault that holds, in the contract's order, and no other. A void that is cancelled was given back by that reversal already.
WITH suspect AS (
    SELECT wager_key
    FROM settlements
    WHERE delta <> 0 OR bonus_paid <> coalesce(expected_bonus, 0)
        OR ((settlement = 'pending' OR (settlement = 'voided' AND status = 'cancelled')) AND (paid > 0 OR bonus_paid > 0))
),
amounts AS (
    SELECT
        s.*,
        CAST(coalesce(s.paid, 0) AS DECIMAL(38, 6)) + coalesce(s.bonus_paid, 0) AS handed_back,
        s.expected + coalesce(s.expected_bonus, 0) AS due
    FROM suspect
    JOIN settlements AS s ON s.wager_key = suspect.wager_key
),
judged AS (
    SELECT
        *,
        CASE
            WHEN settlement = 'voided' AND (handed_back > due OR (status = 'cancelled' AND handed_back > 0)) THEN 'void_paid_as_settled'
            WHEN settlement = 'voided' AND handed_back < due THEN 'void_not_refunded'
            WHEN settlement = 'pending' AND handed_back > 0 THEN 'paid_on_open_round'
            WHEN settlement <> 'settled' THEN NULL
            WHEN outcome = 'forfeit' AND handed_back > due AND kind = 'pair_plus' THEN 'pair_plus_paid_after_fold'
            WHEN outcome = 'forfeit' AND handed_back > due THEN 'paid_after_fold'
            WHEN paid IS NULL AND bonus_paid IS NULL AND due > 0 THEN 'unsettled_wager'
            WHEN handed_back <> due THEN 'payout_mismatch'
            WHEN bonus_paid <> coalesce(expected_bonus, 0) THEN 'bonus_split_mismatch'
        END AS fault
    FROM amounts
),
ruled AS (
    SELECT
        j.*,
        -- What is wrong on an ante whose bonus is booked apart and whose own payment is right is the bonus.
        CASE
            WHEN j.kind = 'ante' AND j.settlement = 'settled' AND j.outcome <> 'forfeit' AND (j.paid = j.expected OR j.fault = 'bonus_split_mismatch')
                THEN concat_ws('.', 'ante_bonus.odds', j.line)
            ELSE j.rule
        END AS filing_key
    FROM judged AS j
    WHERE j.fault IS NOT NULL
)
SELECT
    r.*,
    coalesce(
        CASE WHEN r.settlement = 'pending' THEN '58 Pa. Code § 816a.1' END, pennsylvania_rule(r.filing_key, w.paytable)
    ) AS citation,
    kind_in_words(r.kind) AS kind_words,
    money(r.handed_back, r.currency)
        || CASE WHEN r.bonus_paid > 0 THEN ' (' || money(r.bonus_paid, r.currency) || ' of it as bonus)' ELSE '' END AS handed_back_words,
    money(r.due, r.currency)
        || CASE WHEN r.expected_bonus > 0 THEN ' (' || money(r.expected_bonus, r.currency) || ' of it as bonus)' ELSE '' END AS due_words
FROM ruled AS r
LEFT JOIN filed_wagers AS w ON w.filing_no = r.filing_no AND w.kind = 'ante_bonus'
