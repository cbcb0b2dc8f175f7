-- hand_showdowns: each player hand beside its dealer's: which is higher, and the best five cards of the six.
CREATE OR REPLACE TEMP TABLE hand_showdowns AS
SELECT
    player.hand_key,
    player.class_no AS three_class,
    CAST(
        CASE
            WHEN six_card_ranks.category_no IS NULL THEN NULL
            WHEN suited_ranks.nine_to_ace THEN if(flush_suits.suit_no = 1, 21, 20)
            ELSE 10 + greatest(six_card_ranks.category_no, coalesce(suited_ranks.category_no, 0))
        END AS TINYINT
    ) AS six_class,
    player.unusable,
    sign(player.strength - dealer.strength) AS lead
FROM hand_state AS player
LEFT JOIN hand_state AS dealer ON dealer.round_key = player.round_key AND dealer.is_dealer
LEFT JOIN six_card_ranks ON six_card_ranks.rank_key = player.rank_key + dealer.rank_key
LEFT JOIN flush_suits ON flush_suits.suit_key = player.suit_key + dealer.suit_key
LEFT JOIN suited_ranks ON suited_ranks.rank_mask = ((player.cards_mask | dealer.cards_mask) >> (13 * flush_suits.suit_no)) & 8191;

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
players AS (
    SELECT hand_key, three_class, six_class, lead, list_position(names, unusable) AS fault_no
    FROM hand_showdowns
    CROSS JOIN faults
),
seen AS (
    SELECT
        state.*,
        players.three_class,
        players.six_class,
        if(players.hand_key IS NULL, 4, coalesce(players.fault_no, 0)) AS player_fault,
        if(dealers.round_key IS NULL, 4, coalesce(dealers.fault_no, 0)) AS dealer_fault,
        dealers.class_no AS dealer_class,
        if(
            dealers.strength IS NULL OR state.filing_no IS NULL, NULL, coalesce(dealers.odd_rank >= terms.qualifying_rank, true)
        ) AS dealer_qualifies,
        -- 1 the dealer does not qualify, 2 the player is higher, 3 the dealer is, 4 a tie that wins, 5 a tie that pushes
        CASE
            WHEN dealers.strength IS NULL OR players.lead IS NULL THEN 0
            WHEN dealers.odd_rank < terms.qualifying_rank THEN 1
            WHEN players.lead > 0 THEN 2
            WHEN players.lead < 0 THEN 3
            WHEN terms.tie_wins THEN 4
            ELSE 5
        END AS result_no
    FROM participant_state AS state
    JOIN terms USING (terms_no)
    LEFT JOIN players ON players.hand_key = state.hand_key
    LEFT JOIN dealers ON dealers.round_key = state.round_key
)
SELECT
    * EXCLUDE (round_key, hand_key),
    terms_no * CAST(4294967296 AS BIGINT)
    + status_no * CAST(536870912 AS BIGINT)
    + if(conflicting, 268435456, 0)
    + if(ante_made, 134217728, 0)
    + if(folded, 67108864, 0)
    + if(play_after_fold, 33554432, 0)
    + if(kept_in_void, 16777216, 0)
    + CAST(coalesce(three_class, 15) AS INTEGER) * 1048576
    + CAST(coalesce(six_class, 31) AS INTEGER) * 32768
    + player_fault * 4096
    + dealer_fault * 512
    + CAST(coalesce(dealer_class, 15) AS INTEGER) * 32
    + CASE WHEN dealer_qualifies THEN 16 WHEN NOT dealer_qualifies THEN 8 ELSE 0 END
    + result_no AS situation
FROM seen;
