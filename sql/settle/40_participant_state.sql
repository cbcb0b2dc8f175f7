-- participant_state: what each participant did: under which terms, whether an ante and a play were made, and whether they folded.
-- A wager was made when it was accepted, or when a void took it in and it had not been rejected (contract: "Fold").
CREATE OR REPLACE TEMP TABLE participant_state AS
WITH bets AS (
    -- bits: 1 an ante was made, 2 a play was made, 4 a play stands, 8 an ante was taken, 16 a play was taken
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
    GROUP BY wagers.participant_key
)
SELECT
    participants.participant_key,
    participants.round_key,
    participants.hand_key,
    terms.terms_no,
    terms.filing_no,
    list_position(['settled', 'voided', 'open', 'interrupted'], rounds.status) AS status_no,
    rounds.conflicting,
    coalesce(bets.bits & 1 = 1, false) AS ante_made,
    coalesce(rounds.status = 'settled' AND bets.bits & 3 = 1, false) AS folded,
    coalesce(participants.decision = 'fold' AND bets.bits & 4 = 4, false) AS play_after_fold,
    coalesce(terms.void_keeps_folded AND participants.decision = 'fold' AND bets.bits & 24 = 8, false) AS kept_in_void
FROM participants
JOIN rounds USING (round_key)
JOIN terms
    ON terms.table_id = participants.table_id
    AND terms.operator_id IS NOT DISTINCT FROM participants.operator_id
    AND terms.currency IS NOT DISTINCT FROM participants.currency
LEFT JOIN bets USING (participant_key);
