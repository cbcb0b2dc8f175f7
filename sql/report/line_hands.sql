-- Hands that a wager kind was staked on, by their cards and the lines filed for it: each hand once, and before any decision, since a side wager and the ante are placed
-- before the deal. A wager on six cards that a fold forfeits is left out: whether the dealer's hand is turned for it hangs on the decision.
WITH paytables AS (
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
wagered AS (
    SELECT DISTINCT studio_id, gaming_day, hand_key, filing_fingerprint, kind, settlement = 'settled' AS is_settled
    FROM settlements
    WHERE play_mode = 'real' AND status = 'accepted' AND hand_key IS NOT NULL
),
staked AS (
    SELECT
        wager.studio_id, wager.gaming_day, wager.hand_key, paytables.kind, paytables.is_six,
        list_sort(list(DISTINCT paytables.lines)) AS paytables
    FROM wagered AS wager
    JOIN paytables
        ON paytables.filing_fingerprint = wager.filing_fingerprint
        AND paytables.kind = CASE wager.kind WHEN 'ante' THEN 'ante_bonus' ELSE wager.kind END
    WHERE NOT paytables.is_six OR (NOT paytables.forfeited_by_fold AND wager.is_settled)
    GROUP BY ALL
)
SELECT
    studio_id,
    staked.kind,
    staked.is_six,
    staked.paytables,
    CASE WHEN staked.is_six THEN hand.cards | dealt_rounds.dealer_cards ELSE hand.cards END AS cards,
    count(*) AS hands
FROM staked
JOIN dealt_hands AS hand USING (studio_id, gaming_day, hand_key)
LEFT JOIN dealt_rounds USING (studio_id, gaming_day, round_key)
WHERE NOT staked.is_six OR dealt_rounds.dealer_cards IS NOT NULL
GROUP BY ALL
