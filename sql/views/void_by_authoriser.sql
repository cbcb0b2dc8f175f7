-- view: void_by_authoriser
-- title: How many rounds each person allowed to be voided, and how much was staked in what they voided, per currency
-- column studio_id: the studio
-- column authorised_by: who allowed the voids; null where the log names nobody
-- column currency: ISO 4217 code; null where no real-money wager lay in the voids' scope
-- column voids: rounds voided, in whole or in part
-- column without_reason: of these, without a reason
-- column after_reveal: of these, known to be voided after the dealer's hand was turned
-- column wagers: real-money wagers that were voided
-- column staked: what was staked with them
-- column first_day: gaming day of the first
-- column last_day: gaming day of the last
WITH voided AS (
    SELECT studio_id, gaming_day, round_id, void_authorised_by, void_reason, void_at > dealer_revealed_at AS after_reveal
    FROM rounds
    WHERE is_current AND (status = 'voided' OR has_void)
),
staked AS (
    SELECT studio_id, gaming_day, round_id, currency, count(*) AS wagers, sum(stake) AS stake
    FROM settlements
    WHERE settlement = 'voided' AND play_mode = 'real'
    GROUP BY ALL
)
SELECT
    voided.studio_id,
    voided.void_authorised_by AS authorised_by,
    staked.currency,
    count(*) AS voids,
    count(*) FILTER (voided.void_reason IS NULL) AS without_reason,
    count(*) FILTER (voided.after_reveal) AS after_reveal,
    CAST(coalesce(sum(staked.wagers), 0) AS BIGINT) AS wagers,
    CAST(coalesce(sum(staked.stake), 0) AS DECIMAL(38, 6)) AS staked,
    min(voided.gaming_day) AS first_day,
    max(voided.gaming_day) AS last_day
FROM voided
LEFT JOIN staked ON staked.studio_id = voided.studio_id AND staked.gaming_day = voided.gaming_day AND staked.round_id = voided.round_id
GROUP BY ALL
