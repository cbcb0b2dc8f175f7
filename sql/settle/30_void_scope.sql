-- void_scope: the wagers that a void takes in, one row each. A voided round takes in all; a void in a round that stands takes in
-- the union of the hands, players and wagers that it names, and naming the dealer's hand names the round (contract: "Void").
CREATE OR REPLACE TEMP TABLE void_scope AS
WITH voids AS (
    SELECT
        round_key,
        status = 'voided' OR list_contains(void_hand_ids, 'dealer') AS whole,
        void_hand_ids,
        void_player_ids,
        void_wager_ids
    FROM rounds
    WHERE status = 'voided' OR has_void
)
SELECT wagers.wager_key, wagers.round_key, wagers.hand_key
FROM current_wagers AS wagers
JOIN voids USING (round_key)
WHERE
    voids.whole
    OR list_contains(voids.void_hand_ids, wagers.hand_id)
    OR list_contains(voids.void_player_ids, wagers.player_id)
    OR list_contains(voids.void_wager_ids, wagers.wager_id);
