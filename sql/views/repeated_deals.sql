-- view: repeated_deals
-- title: The rounds of a studio's day whose cards, each in its place, are those of another
-- reach: day

-- tables are those at which the deal lay, in order. Six cards, of one hand and the dealer's, come in one order of
-- 52 * 51 * 50 * 49 * 48 * 47 = 14,658,134,400; may_be_chance says that an honest studio with as many such rounds sees two alike
-- at one table (at two tables: may_be_chance_elsewhere) more than once in 365 days. For the cards of more hands it never does.
-- A round that names no table is left out. Deals are first looked for by their hash: a night's millions of texts are not held beside
-- each other to find the few that are alike.
WITH alike AS (
    SELECT hash(deal) AS marked FROM whole_deals WHERE deal IS NOT NULL GROUP BY marked HAVING count(*) > 1
),
dealt AS (
    SELECT
        whole.deal, whole.hands,
        played.table_id, played.round_id, played.round_key, played.dealer_id, played.dated_at, played.source_file, played.source_line
    FROM whole_deals AS whole
    SEMI JOIN alike ON alike.marked = hash(whole.deal)
    JOIN current_rounds AS played ON played.round_key = whole.round_key
    WHERE played.table_id IS NOT NULL
),
repeated AS (
    SELECT deal, list_sort(list(DISTINCT table_id)) AS tables
    FROM dealt
    GROUP BY deal
    HAVING count(*) > 1
),
pairs AS (
    SELECT
        sum(rounds * (rounds - 1) // 2) AS at_one_table,
        sum(rounds) * (sum(rounds) - 1) // 2 AS anywhere
    FROM (SELECT table_id, count(*) AS rounds FROM whole_deals WHERE hands = 1 AND deal IS NOT NULL AND table_id IS NOT NULL GROUP BY table_id)
)
SELECT
    dealt.*,
    repeated.tables,
    dealt.hands = 1 AND pairs.at_one_table * 365 > 14658134400 AS may_be_chance,
    dealt.hands = 1 AND pairs.anywhere * 365 > 14658134400 AS may_be_chance_elsewhere,
    lag({'round_id': dealt.round_id, 'dated_at': dealt.dated_at}) OVER (
        PARTITION BY dealt.table_id, dealt.deal ORDER BY dealt.dated_at, dealt.round_id
    ) AS before
FROM dealt
JOIN repeated ON repeated.deal = dealt.deal
CROSS JOIN pairs
