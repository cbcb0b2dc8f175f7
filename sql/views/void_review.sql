-- view: void_review
-- title: Each void with its reason, who allowed it, its place in the round, and what it gave back
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column round_id: the round
-- column scope: round (all of it) or part
-- column reason: the reason given
-- column authorised_by: who allowed it
-- column voided_at: when it was voided
-- column revealed_at: when the dealer's hand was turned, where the log says so
-- column after_reveal: the check void_after_reveal says so; null where neither it nor the times of the round say
-- column dealer_id: who dealt
-- column currency: ISO 4217 code; null where no wager lay in its scope
-- column wagers: real-money wagers in its scope
-- column staked: what was staked with them
-- column due: what was due back
-- column handed_back: what was handed back
-- column delta: handed back less due
-- column source_file: name of the file that the round was read from
-- column source_line: line in that file
SELECT
    dealt.studio_id,
    dealt.gaming_day,
    dealt.table_id,
    dealt.round_id,
    CASE WHEN dealt.status = 'voided' THEN 'round' ELSE 'part' END AS scope,
    dealt.void_reason AS reason,
    dealt.void_authorised_by AS authorised_by,
    dealt.void_at AS voided_at,
    dealt.dealer_revealed_at AS revealed_at,
    CASE WHEN late.round_id IS NOT NULL THEN true WHEN dealt.void_at <= dealt.dealer_revealed_at THEN false END AS after_reveal,
    dealt.dealer_id,
    wager.currency,
    count(wager.wager_id) AS wagers,
    CAST(coalesce(sum(wager.stake), 0) AS DECIMAL(38, 6)) AS staked,
    CAST(coalesce(sum(wager.expected + coalesce(wager.expected_bonus, 0)), 0) AS DECIMAL(38, 6)) AS due,
    CAST(coalesce(sum(coalesce(wager.paid, 0) + coalesce(wager.bonus_paid, 0)), 0) AS DECIMAL(38, 6)) AS handed_back,
    CAST(coalesce(sum(wager.delta), 0) AS DECIMAL(38, 6)) AS delta,
    dealt.source_file,
    dealt.source_line
FROM rounds AS dealt
LEFT JOIN settlements AS wager
    ON wager.studio_id = dealt.studio_id AND wager.gaming_day = dealt.gaming_day AND wager.round_id = dealt.round_id
    AND wager.settlement = 'voided' AND wager.play_mode = 'real'
LEFT JOIN findings AS late
    ON late.check_id = 'void_after_reveal'
    AND late.studio_id = dealt.studio_id AND late.gaming_day = dealt.gaming_day AND late.round_id = dealt.round_id
WHERE dealt.is_current AND (dealt.status = 'voided' OR dealt.has_void)
GROUP BY ALL
