-- view: participant_stakes
-- title: What each participant staked, whatever became of it, rejected wagers and conflicting rounds left out
-- reach: round

-- A wager was made when it was accepted, or when a void took it; one cancelled outside a void, or rejected, was not. may_repeat is true of
-- every participant who staked on a kind twice, and of few others: each kind marks one of 64 bits.
SELECT
    participant_key,
    sum(stake) FILTER (WHERE kind = 'ante') AS ante_staked,
    min(wager_key) FILTER (WHERE kind = 'ante') AS ante_key,
    min(wager_key) FILTER (WHERE kind = 'ante' AND settlement IN ('settled', 'unsettleable')) AS standing_ante_key,
    sum(stake) FILTER (WHERE kind = 'play') AS play_staked,
    max(wager_key) FILTER (WHERE kind = 'play') AS last_play_key,
    count(*) FILTER (WHERE kind = 'play') AS plays,
    count(*) FILTER (WHERE kind NOT IN ('ante', 'play')) AS side_wagers,
    count(*) > bit_count(bit_or(CAST(1 AS UBIGINT) << (hash(kind) % 64))) AS may_repeat
FROM settlements
WHERE (status = 'accepted' OR settlement = 'voided') AND settlement_reason IS DISTINCT FROM 'conflicting_round'
GROUP BY participant_key
