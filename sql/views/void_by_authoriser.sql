-- view: void_by_authoriser
-- title: How many rounds each person allowed to be voided, and how much was staked in what they voided, per currency
-- column studio_id: the studio
-- column authorised_by: who allowed the voids; null where the log names nobody
-- column currency: ISO 4217 code; null where no real-money wager lay in the voids' scope
-- column voids: rounds voided, in whole or in part
-- column without_reason: of these, without a reason
-- column after_reveal: of these, voided after the dealer's hand was turned, as the check void_after_reveal says
-- column wagers: real-money wagers that were voided
-- column staked: what was staked with them
-- column first_day: gaming day of the first
-- column last_day: gaming day of the last
WITH voided AS (
    SELECT
        dealt.studio_id, dealt.gaming_day, dealt.round_id, dealt.void_authorised_by, dealt.void_reason,
        late.round_id IS NOT NULL AS after_reveal
    FROM rounds AS dealt
    LEFT JOIN findings AS late
        ON late.check_id = 'void_after_reveal'
        AND late.studio_id = dealt.studio_id AND late.gaming_day = dealt.gaming_day AND late.round_id = dealt.round_id
    WHERE dealt.is_current AND (dealt.status = 'voided' OR dealt.has_void)
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
