-- view: antes_and_plays
-- title: What each participant staked on ante and play, whatever became of it, rejected wagers and conflicting rounds left out
-- reach: round

-- A wager was made when it was accepted, or when a void took it; one cancelled outside a void, or rejected, was not.
SELECT
    participant_key,
    sum(stake) FILTER (WHERE kind = 'ante') AS ante_staked,
    min(wager_key) FILTER (WHERE kind = 'ante') AS ante_key,
    min(wager_key) FILTER (WHERE kind = 'ante' AND settlement IN ('settled', 'unsettleable')) AS standing_ante_key,
    sum(stake) FILTER (WHERE kind = 'play') AS play_staked,
    max(wager_key) FILTER (WHERE kind = 'play') AS last_play_key
FROM settlements
WHERE kind IN ('ante', 'play') AND (status = 'accepted' OR settlement = 'voided') AND settlement_reason IS DISTINCT FROM 'conflicting_round'
GROUP BY participant_key
