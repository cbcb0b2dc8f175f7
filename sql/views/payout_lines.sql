-- view: payout_lines
-- title: How often each filed paytable line was hit by settled real-money wagers, beside what the deck gives on average, and what it paid
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column filing_id: the filing in force
-- column kind: the wager kind; the line of an ante is that of its ante bonus
-- column line: the paytable line; null: no line was hit
-- column odds: its price as filed
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column hits: settled wagers that hit it, forfeited ones apart
-- column expected_hits: what the deck gives on average on so many dealt, exact to six decimals; null beside no line
-- column wagers: settled wagers of the kind at the table in the currency, forfeited ones apart
-- column dealt: the same with forfeited ones: a hand is dealt before anyone folds
-- column hands: different hands among the hits: wagers on one shared hand are one observation
-- column expected_hands: what the deck gives on average on so many hands dealt
-- column hands_dealt: different hands among the dealt
-- column staked: what was staked on the hits
-- column due: what was due on the hits
-- column handed_back: what was handed back on them
WITH wagers AS (
    SELECT *
    FROM settlements
    WHERE play_mode = 'real' AND settlement = 'settled'
),
dealt AS (
    SELECT
        studio_id, gaming_day, table_id, filing_fingerprint, filing_id, kind, currency,
        count(*) AS dealt,
        count(*) FILTER (outcome <> 'forfeit') AS wagers,
        count(DISTINCT hand_key) AS hands_dealt
    FROM wagers
    GROUP BY ALL
),
chances AS (
    SELECT filing_fingerprint, CASE kind WHEN 'ante_bonus' THEN 'ante' ELSE kind END AS kind, line, ways, of_hands
    FROM filed_chances
),
told AS (
    SELECT
        dealt.studio_id, dealt.gaming_day, dealt.table_id, dealt.filing_fingerprint, dealt.filing_id, dealt.kind, chances.line, dealt.currency,
        NULL AS odds, 0 AS hits, 0 AS hands, 0 AS staked, 0 AS due, 0 AS handed_back,
        dealt.wagers, dealt.dealt, dealt.hands_dealt,
        micro_to_amount(rounded_fraction(CAST(dealt.dealt AS HUGEINT) * chances.ways * 1000000, chances.of_hands, 1, 'exact')) AS expected_hits,
        micro_to_amount(rounded_fraction(CAST(dealt.hands_dealt AS HUGEINT) * chances.ways * 1000000, chances.of_hands, 1, 'exact')) AS expected_hands
    FROM dealt
    JOIN chances ON chances.filing_fingerprint = dealt.filing_fingerprint AND chances.kind = dealt.kind
    UNION ALL
    SELECT
        studio_id, gaming_day, table_id, filing_fingerprint, filing_id, kind, line, currency, odds,
        count(*), count(DISTINCT hand_key), sum(stake), sum(expected + coalesce(expected_bonus, 0)),
        sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)), NULL, NULL, NULL, NULL, NULL
    FROM wagers
    WHERE outcome <> 'forfeit'
    GROUP BY studio_id, gaming_day, table_id, filing_fingerprint, filing_id, kind, line, currency, odds
)
SELECT
    told.studio_id,
    told.gaming_day,
    told.table_id,
    told.filing_id,
    told.kind,
    told.line,
    coalesce(max(told.odds), max(filed.odds)) AS odds,
    told.currency,
    CAST(sum(told.hits) AS BIGINT) AS hits,
    max(told.expected_hits) AS expected_hits,
    CAST(coalesce(max(told.wagers), max(dealt.wagers)) AS BIGINT) AS wagers,
    CAST(coalesce(max(told.dealt), max(dealt.dealt)) AS BIGINT) AS dealt,
    CAST(sum(told.hands) AS BIGINT) AS hands,
    max(told.expected_hands) AS expected_hands,
    CAST(coalesce(max(told.hands_dealt), max(dealt.hands_dealt)) AS BIGINT) AS hands_dealt,
    CAST(sum(told.staked) AS DECIMAL(38, 6)) AS staked,
    CAST(sum(told.due) AS DECIMAL(38, 6)) AS due,
    CAST(sum(told.handed_back) AS DECIMAL(38, 6)) AS handed_back
FROM told
JOIN dealt
    ON dealt.studio_id = told.studio_id AND dealt.gaming_day = told.gaming_day AND dealt.table_id IS NOT DISTINCT FROM told.table_id
    AND dealt.filing_fingerprint IS NOT DISTINCT FROM told.filing_fingerprint AND dealt.kind = told.kind
    AND dealt.currency IS NOT DISTINCT FROM told.currency
LEFT JOIN filed_lines AS filed
    ON filed.filing_fingerprint = told.filing_fingerprint AND filed.line = told.line
    AND filed.kind = CASE told.kind WHEN 'ante' THEN 'ante_bonus' ELSE told.kind END
GROUP BY told.studio_id, told.gaming_day, told.table_id, told.filing_fingerprint, told.filing_id, told.kind, told.line, told.currency
