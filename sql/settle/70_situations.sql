-- hand_showdowns: each player hand beside its dealer's: which is higher, and the best five cards of the six.
CREATE OR REPLACE TEMP TABLE hand_showdowns AS
SELECT
    player.hand_key,
    player.class_no AS three_class,
    CAST(
        CASE
            WHEN six_card_ranks.category_no IS NULL THEN NULL
            WHEN suited_ranks.nine_to_ace THEN if(flush_suits.suit_no = 1, 21, 20)
            ELSE 10 + greatest(six_card_ranks.category_no, suited_ranks.category_no)
        END AS TINYINT
    ) AS six_class,
    player.unusable,
    sign(player.strength - dealer.strength) AS lead
FROM hand_state AS player
LEFT JOIN hand_state AS dealer ON dealer.round_key = player.round_key AND dealer.is_dealer
LEFT JOIN six_card_ranks ON six_card_ranks.rank_key = player.rank_key + dealer.rank_key
LEFT JOIN flush_suits ON flush_suits.suit_key = player.suit_key + dealer.suit_key
LEFT JOIN suited_ranks ON suited_ranks.rank_mask = ((player.cards_mask | dealer.cards_mask) >> (13 * flush_suits.suit_no)) & 8191
WHERE NOT player.is_dealer;

-- participant_situations: each participant's situation as one number, put together from all that decides their wagers but the wagers
-- themselves, so that what is alike is decided once. `result` is the showdown under the terms (58 Pa. Code § 649a.11).
CREATE OR REPLACE TEMP TABLE participant_situations AS
WITH faults AS (
    SELECT
        [
            'correction_chain_broken', 'conflicting_reading', 'unreadable_card', 'wrong_card_count', 'reading_hand_mismatch',
            'duplicate_card'
        ] AS names
),
dealers AS (
    SELECT round_key, class_no, odd_rank, strength, list_position(names, unusable) AS fault_no
    FROM hand_state
    CROSS JOIN faults
    WHERE is_dealer
),
dealt AS (
    SELECT
        rounds.round_key,
        (CAST(list_position(['settled', 'voided', 'open', 'interrupted'], rounds.status) AS BIGINT) << 29)
        + (CAST(rounds.conflicting AS BIGINT) << 28)
        + (coalesce(dealers.fault_no, 0) << 9)
        + (CAST(coalesce(dealers.class_no, 15) AS INTEGER) << 5) AS situation,
        rounds.status = 'settled' AS is_settled,
        dealers.strength IS NOT NULL AS has_dealer,
        dealers.odd_rank
    FROM rounds
    LEFT JOIN dealers USING (round_key)
),
held AS (
    SELECT
        hand_key,
        (CAST(coalesce(three_class, 15) AS INTEGER) << 20)
        + (CAST(coalesce(six_class, 31) AS INTEGER) << 15)
        + (coalesce(list_position(names, unusable), 0) << 12) AS situation,
        lead
    FROM hand_showdowns
    CROSS JOIN faults
)
SELECT
    participants.participant_key,
    (CAST(terms.terms_no AS BIGINT) << 32)
    + dealt.situation
    + CASE
        WHEN bets.bits IS NULL THEN 0
        ELSE
            if(bets.bits & 1 = 1, 1 << 27, 0)
            + if(dealt.is_settled AND bets.bits & 3 = 1, 1 << 26, 0)
            + if(participants.decision = 'fold' AND bets.bits & 4 = 4, 1 << 25, 0)
            + if(terms.void_keeps_folded AND participants.decision = 'fold' AND bets.bits & 24 = 8, 1 << 24, 0)
    END
    + coalesce(held.situation, (15 << 20) + (31 << 15) + (4 << 12))
    -- 16 the dealer qualifies, 8 does not, 0 nobody can say
    + CASE
        WHEN NOT dealt.has_dealer OR terms.filing_no IS NULL THEN 0
        WHEN dealt.odd_rank < terms.qualifying_rank THEN 8
        ELSE 16
    END
    -- 1 the dealer does not qualify, 2 the player is higher, 3 the dealer is, 4 a tie that wins, 5 a tie that pushes
    + CASE
        WHEN NOT dealt.has_dealer OR held.lead IS NULL THEN 0
        WHEN dealt.odd_rank < terms.qualifying_rank THEN 1
        WHEN held.lead > 0 THEN 2
        WHEN held.lead < 0 THEN 3
        WHEN terms.tie_wins THEN 4
        ELSE 5
    END AS situation
FROM participants
JOIN dealt ON dealt.round_key = participants.round_key
JOIN terms
    ON terms.table_id IS NOT DISTINCT FROM participants.table_id
    AND terms.operator_id IS NOT DISTINCT FROM participants.operator_id
    AND terms.currency IS NOT DISTINCT FROM participants.currency
LEFT JOIN held ON held.hand_key = participants.hand_key
LEFT JOIN bets_made AS bets ON bets.participant_key = participants.participant_key;
