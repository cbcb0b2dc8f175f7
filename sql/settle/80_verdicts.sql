-- kind_words: a number for each kind that any filing knows; ante and play always.
CREATE OR REPLACE TEMP TABLE kind_words AS
SELECT kind, CAST(row_number() OVER (ORDER BY kind) AS INTEGER) AS word_no
FROM (SELECT kind FROM filed_kinds UNION SELECT unnest(['ante', 'play']));

-- keyed_wagers: each current wager with its participant's situation and a code for the rest of what decides it: its kind (0: one that no
-- filing knows), its status and whether a void takes it in.
CREATE OR REPLACE TEMP TABLE keyed_wagers AS
SELECT
    wagers.wager_key,
    participant_situations.situation,
    coalesce(kind_words.word_no, 0) * 8
    + CASE wagers.status WHEN 'accepted' THEN 0 WHEN 'rejected' THEN 2 ELSE 4 END
    + if(void_scope.wager_key IS NULL, 0, 1) AS code,
    wagers.stake,
    wagers.funding = 'free' AS is_free,
    wagers.status = 'cancelled' AND coalesce(wagers.paid, 0) = 0 AND coalesce(wagers.bonus_paid, 0) = 0 AS is_reversed
FROM current_wagers AS wagers
JOIN participant_situations ON participant_situations.participant_key = wagers.participant_key
LEFT JOIN kind_words ON kind_words.kind = wagers.kind
LEFT JOIN void_scope ON void_scope.wager_key = wagers.wager_key;

-- verdicts: what becomes of each kind of wager in each situation that occurs: its state and reason, what it did, and what is due on it as
-- stake × stake_times + plus, over under (in millionths), the bonus likewise. The order of states and reasons is the contract's
-- ("Settlement state"); what is due without a look at a card (a folded ante, a forfeited wager, a void) is settled always.
CREATE OR REPLACE TEMP TABLE verdicts AS
WITH faults AS (
    SELECT
        [
            'correction_chain_broken', 'conflicting_reading', 'unreadable_card', 'wrong_card_count', 'reading_hand_mismatch',
            'duplicate_card'
        ] AS names
),
occurring AS (
    SELECT
        keys.situation,
        keys.code,
        kind_words.kind,
        list_extract(['accepted', 'rejected', 'cancelled'], keys.code // 2 % 4 + 1) AS status,
        keys.code % 2 = 1 AS in_void
    FROM (SELECT DISTINCT situation, code FROM keyed_wagers) AS keys
    LEFT JOIN kind_words ON kind_words.word_no = keys.code // 8
),
situations AS (
    -- The number of a situation taken apart again, see participant_situations.
    SELECT
        situation,
        situation >> 32 AS terms_no,
        (situation >> 29) & 7 AS status_no,
        (situation >> 28) & 1 = 1 AS conflicting,
        (situation >> 27) & 1 = 1 AS ante_made,
        (situation >> 26) & 1 = 1 AS folded,
        (situation >> 25) & 1 = 1 AS play_after_fold,
        (situation >> 24) & 1 = 1 AS kept_in_void,
        nullif((situation >> 20) & 15, 15) AS three_class,
        (situation >> 15) & 31 AS six_class,
        (situation >> 12) & 7 AS player_fault,
        (situation >> 9) & 7 AS dealer_fault,
        nullif((situation >> 5) & 15, 15) AS dealer_class,
        list_extract([NULL, false, true], ((situation >> 3) & 3) + 1) AS dealer_qualifies,
        situation & 7 AS result_no
    FROM (SELECT DISTINCT situation FROM occurring)
),
facts AS (
    SELECT
        occurring.*,
        situations.* EXCLUDE (situation),
        terms.filing_no,
        terms.currency,
        terms.minor_unit,
        kinds.* EXCLUDE (filing_no, kind),
        situations.folded AND (kinds.role = 'ante' OR kinds.forfeited_by_fold) AS forfeited,
        CASE
            WHEN situations.conflicting THEN 'unsettleable'
            WHEN occurring.status = 'rejected' OR (occurring.status = 'cancelled' AND NOT occurring.in_void) THEN 'not_accepted'
            WHEN occurring.in_void THEN 'voided'
            WHEN situations.status_no <> 1 THEN 'pending'
        END AS early,
        if(kinds.role = 'six', situations.six_class, situations.three_class) AS class_no
    FROM occurring
    JOIN situations USING (situation)
    JOIN terms USING (terms_no)
    LEFT JOIN filed_kinds AS kinds ON kinds.filing_no = terms.filing_no AND kinds.kind = occurring.kind
),
reasoned AS (
    SELECT
        facts.*,
        priced.* EXCLUDE (kind_no, class_no),
        judged.category AS hand_category,
        dealer.category AS dealer_category,
        CASE
            WHEN conflicting THEN 'conflicting_round'
            WHEN early = 'not_accepted' THEN status
            WHEN early = 'voided' THEN NULL
            WHEN early = 'pending' THEN list_extract(['settled', 'voided', 'open', 'interrupted'], status_no)
            WHEN filing_no IS NULL THEN 'no_filing_in_force'
            WHEN facts.kind_no IS NULL THEN 'wager_not_offered'
            WHEN role = 'play' AND NOT ante_made THEN 'play_without_ante'
            WHEN play_after_fold AND (role IN ('ante', 'play') OR forfeited_by_fold) THEN 'play_after_fold'
            WHEN forfeited THEN NULL
            WHEN player_fault > 0 THEN names[player_fault]
            WHEN role <> 'three' AND dealer_fault > 0 THEN 'dealer: ' || names[dealer_fault]
            WHEN basis = 'flat' AND flat_currency <> currency THEN 'flat_currency'
        END AS reason
    FROM facts
    CROSS JOIN faults
    LEFT JOIN priced ON priced.kind_no = facts.kind_no AND priced.class_no = facts.class_no
    LEFT JOIN hand_classes AS dealer ON dealer.class_no = facts.dealer_class
    LEFT JOIN hand_classes AS judged
        ON judged.class_no = facts.class_no AND (facts.kind_no IS NOT NULL OR facts.kind IN ('ante', 'play'))
),
decided AS (
    SELECT
        reasoned.*,
        coalesce(early, if(reason IS NULL, 'settled', 'unsettleable')) AS settlement,
        CASE
            WHEN early = 'voided' THEN 'void'
            WHEN early IS NOT NULL OR reason IS NOT NULL THEN NULL
            WHEN forfeited THEN 'forfeit'
            WHEN role IN ('three', 'six') THEN if(line IS NULL, 'lose', 'win')
            WHEN result_no = 1 THEN if(role = 'ante', 'win', 'push')
            WHEN result_no IN (2, 4) THEN 'win'
            WHEN result_no = 5 THEN 'push'
            ELSE 'lose'
        END AS outcome,
        if(early IS NULL AND reason IS NULL AND NOT forfeited, basis, NULL) AS paying_basis
    FROM reasoned
),
fractions AS (
    SELECT
        decided.*,
        CAST(
            CASE
                WHEN outcome = 'push' THEN 1
                WHEN outcome IS DISTINCT FROM 'win' THEN 0
                WHEN role IN ('ante', 'play') THEN if(win_basis = 'to', win_num + win_den, win_num)
                WHEN basis = 'to' THEN num + den
                WHEN basis = 'for' THEN num
                WHEN stake_returned THEN if(basis = 'meter', den, 1)
                ELSE 0
            END AS HUGEINT
        ) AS stake_times,
        CAST(if(outcome = 'win' AND role IN ('three', 'six') AND basis = 'flat', flat, 0) AS HUGEINT) AS plus,
        CAST(
            CASE
                WHEN outcome IS DISTINCT FROM 'win' THEN 1
                WHEN role IN ('ante', 'play') THEN win_den
                ELSE coalesce(den, 1)
            END AS HUGEINT
        ) AS under,
        CAST(if(role = 'ante' AND paying_basis IN ('to', 'for'), num, 0) AS HUGEINT) AS bonus_times,
        CAST(if(role = 'ante' AND paying_basis = 'flat', flat, 0) AS HUGEINT) AS bonus_plus,
        CAST(if(role = 'ante' AND paying_basis IN ('to', 'for', 'meter'), den, 1) AS HUGEINT) AS bonus_under,
        CAST(if(paying_basis = 'meter', num, 0) AS HUGEINT) AS meter_times
    FROM decided
)
SELECT
    CAST(row_number() OVER (ORDER BY situation, code) AS INTEGER) AS verdict_no,
    situation,
    code,
    kind,
    settlement,
    reason AS settlement_reason,
    filing_no,
    kind_no,
    currency AS terms_currency,
    hand_category,
    dealer_category,
    dealer_qualifies,
    outcome,
    if(paying_basis IS NULL, NULL, line) AS line,
    if(paying_basis IS NULL, NULL, odds) AS odds,
    CASE
        WHEN early = 'voided' THEN 'void'
        WHEN outcome IS NULL THEN NULL
        WHEN forfeited AND role = 'ante' THEN 'fold'
        WHEN forfeited THEN kind || '.forfeited_by_fold'
        WHEN role IN ('three', 'six') THEN concat_ws('.', kind, 'odds', line)
        WHEN result_no = 1 THEN 'qualifier'
        WHEN result_no IN (4, 5) THEN 'tie'
        ELSE 'wagers.' || kind
    END AS rule,
    paying_basis = 'meter' AS from_meter,
    settlement = 'settled'
    AND EXISTS (
        FROM filings
        WHERE
            filings.filing_no = fractions.filing_no
            AND filings.cap_amount IS NOT NULL
            AND filings.cap_currency = fractions.currency
            AND (
                filings.cap_kinds IS NULL
                OR list_contains(filings.cap_kinds, fractions.kind)
                OR (fractions.kind = 'ante' AND list_contains(filings.cap_kinds, 'ante_bonus'))
            )
    ) AS is_capped,
    settlement = 'voided' AND kept_in_void AND (kind = 'ante' OR forfeited_by_fold) AS is_kept,
    coalesce(kind = 'ante' AND settlement IN ('settled', 'voided'), false) AS has_bonus,
    minor_unit,
    rounding,
    bonus_rounding,
    stake_times,
    plus,
    under,
    bonus_times,
    bonus_plus,
    bonus_under,
    meter_times,
    stake_times = 0 AND plus = 0 AND meter_times = 0 AS is_nothing,
    under = 1 AND rounding = 'exact' AND meter_times = 0 AS is_whole,
    CAST(if(under = 1, stake_times, 0) AS DECIMAL(18, 0)) AS whole_times,
    micro_to_amount(plus) AS whole_plus,
    bonus_times <> 0 OR bonus_plus <> 0 OR (role = 'ante' AND meter_times <> 0) AS pays_bonus
FROM fractions
ORDER BY verdict_no;

-- wager_verdicts: each current wager beside its verdict.
CREATE OR REPLACE TEMP VIEW wager_verdicts AS
SELECT
    wagers.* EXCLUDE (situation, code),
    verdicts.*
FROM keyed_wagers AS wagers
JOIN verdicts ON verdicts.situation = wagers.situation AND verdicts.code = wagers.code;
