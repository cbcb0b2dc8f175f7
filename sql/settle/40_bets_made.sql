-- bets_made: for each participant with an ante or play, what became of them, as bits: 1 an ante was made, 2 a play was made, 4 a play
-- stands, 8 an ante was taken, 16 a play was taken. A wager was made when it was accepted, or when a void took it in and it had not been
-- rejected (contract: "Fold"); it was taken when it was not rejected. In a settled round bit 1 without bit 2 is a fold.
CREATE OR REPLACE TEMP TABLE bets_made AS
SELECT
    wagers.participant_key,
    bit_or(
        CASE
            WHEN void_scope.wager_key IS NOT NULL THEN if(wagers.kind = 'ante', 9, 18)
            WHEN wagers.status = 'accepted' THEN if(wagers.kind = 'ante', 9, 22)
            ELSE if(wagers.kind = 'ante', 8, 16)
        END
    ) AS bits
FROM current_wagers AS wagers
LEFT JOIN void_scope USING (wager_key)
WHERE wagers.kind IN ('ante', 'play') AND wagers.status <> 'rejected'
GROUP BY wagers.participant_key;
