-- twin_amounts: what is due on each current wager, with the number of its verdict. A cap's cut is taken from the wager before its bonus.
CREATE OR REPLACE TEMP TABLE twin_amounts AS
SELECT
    due.wager_key,
    due.verdict_no,
    due.is_missing,
    coalesce(cuts.cut > 0, false) AS is_cut,
    CAST(coalesce(greatest(due.due - cuts.cut, cuts.spared), due.due) AS DECIMAL(38, 6)) AS expected,
    CAST(due.due_bonus - greatest(cuts.cut + cuts.spared - due.due, 0) AS DECIMAL(38, 6)) AS expected_bonus
FROM due_wagers AS due
LEFT JOIN cap_cuts AS cuts ON cuts.wager_key = due.wager_key;

-- twin_verdicts: the verdicts in the words of the engine's columns, once as they are, once for a meter that the round does not show, and
-- once under a cap.
CREATE OR REPLACE TEMP TABLE twin_verdicts AS
SELECT
    verdicts.verdict_no,
    cases.is_missing,
    cases.is_cut,
    if(is_missing, 'unsettleable', settlement) AS settlement,
    if(is_missing, 'meter_missing', settlement_reason) AS settlement_reason,
    filing_no,
    hand_category,
    dealer_category,
    dealer_qualifies,
    if(is_missing, NULL, outcome) AS outcome,
    if(is_missing, NULL, line) AS line,
    if(is_missing, NULL, odds) AS odds,
    CASE WHEN is_missing THEN NULL WHEN is_cut THEN 'aggregate_payout_limit' ELSE rule END AS rule
FROM verdicts
CROSS JOIN (SELECT DISTINCT is_missing, is_cut FROM twin_amounts) AS cases;

-- twin: what this engine says of each wager, one row for each current wager.
CREATE OR REPLACE TEMP VIEW twin AS
SELECT
    wager_key,
    settlement,
    settlement_reason,
    filing_no,
    hand_category,
    dealer_category,
    dealer_qualifies,
    outcome,
    line,
    odds,
    expected,
    expected_bonus,
    rule
FROM twin_amounts
JOIN twin_verdicts USING (verdict_no, is_missing, is_cut);
