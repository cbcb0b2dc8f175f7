-- Hands that a wager kind was staked on, by their cards and the lines filed for it: each hand once, and before any decision, since a side wager and the ante are placed
-- before the deal. A wager on six cards that a fold forfeits is left out: whether the dealer's hand is turned for it hangs on the decision.
WITH filed AS (
    SELECT
        filing_fingerprint,
        kind,
        wager.judged_on = 'best_five_of_six' AS is_six,
        wager.forfeited_by_fold,
        list(line ORDER BY line) AS lines
    FROM filed_wagers AS wager
    JOIN filed_lines USING (filing_fingerprint, kind)
    WHERE wager.judged_on IN ('player_three', 'best_five_of_six')
    GROUP BY ALL
),
-- Wagers are counted by the number of their paytable: texts and lists of them would cost as much as the rest of the report.
paytables AS (
    SELECT *, dense_rank() OVER (ORDER BY kind, is_six, lines) AS paytable_no, dense_rank() OVER (ORDER BY kind, is_six) AS kind_no FROM filed
),
staked AS (
    SELECT DISTINCT wager.studio_id, wager.gaming_day, wager.hand_key, paytables.kind_no, paytables.paytable_no
    FROM settlements AS wager
    JOIN paytables
        ON paytables.filing_fingerprint = wager.filing_fingerprint
        AND paytables.kind = CASE wager.kind WHEN 'ante' THEN 'ante_bonus' ELSE wager.kind END
    WHERE wager.play_mode = 'real' AND wager.status = 'accepted' AND wager.hand_key IS NOT NULL
        AND (NOT paytables.is_six OR (NOT paytables.forfeited_by_fold AND wager.settlement = 'settled'))
),
hands AS (
    SELECT studio_id, gaming_day, hand_key, kind_no, list(paytable_no ORDER BY paytable_no) AS paytable_nos
    FROM staked
    GROUP BY ALL
),
counted AS (
    SELECT
        studio_id,
        hands.kind_no,
        hands.paytable_nos,
        CASE WHEN named.is_six THEN hand.cards | dealt_rounds.dealer_cards ELSE hand.cards END AS cards,
        count(*) AS hands
    FROM hands
    JOIN (SELECT DISTINCT kind_no, is_six FROM paytables) AS named USING (kind_no)
    JOIN dealt_hands AS hand USING (studio_id, gaming_day, hand_key)
    LEFT JOIN dealt_rounds USING (studio_id, gaming_day, round_key)
    WHERE NOT named.is_six OR dealt_rounds.dealer_cards IS NOT NULL
    GROUP BY ALL
),
told AS (
    SELECT several.paytable_nos, any_value(one.kind) AS kind, any_value(one.is_six) AS is_six, list(DISTINCT one.lines ORDER BY one.lines) AS paytables
    FROM (SELECT DISTINCT paytable_nos FROM counted) AS several
    JOIN paytables AS one ON list_contains(several.paytable_nos, one.paytable_no)
    GROUP BY several.paytable_nos
)
SELECT counted.studio_id, told.kind, told.is_six, told.paytables, counted.cards, counted.hands
FROM counted
JOIN told USING (paytable_nos)
