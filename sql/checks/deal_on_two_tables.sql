-- check: deal_on_two_tables
-- title: One deal came at two tables in a day
-- severity: info
-- family: cards
-- reach: day
-- citation: 58 Pa. Code § 649a.3
-- question: Which tables dealt the same cards in the same order as another table of the studio on the same day?
-- examines: whole_deals
-- subject: rounds with every card
-- unless: NOT has_cards — the feed has no cards
-- unless: deal IS NULL — not all hands show three cards that can be trusted
-- means: Rounds of two tables have the same cards in the same places, every hand and the dealer's. One finding for the two tables and the
--   day says how many deals they share.
-- matters: A shuffled deck gives one hand and the dealer the same six cards in the same order once in 14,658,134,400 deals. Two tables that
--   share a deal are one table told under two names, or one of them was played from a recording of the other.
-- do: Watch the rounds at both tables, first where they share more than one deal. The finding says where one dealer dealt all of it within
--   a minute, as where one table is sent out under several names; where an honest studio of this size sees one such deal by chance more
--   than once a year; and where three or more tables share it, as with a scripted one.

WITH shared AS (
    SELECT
        deal,
        tables,
        any_value(may_be_chance_elsewhere) AS may_be_chance,
        count(dealer_id) = count(*) AND count(DISTINCT dealer_id) = 1 AND max(dated_at) < min(dated_at) + INTERVAL 1 MINUTE AS at_once,
        min(dated_at) AS dated_at,
        arg_min(
            {'round_id': round_id, 'dated_at': dated_at, 'source_file': source_file, 'source_line': source_line}, (dated_at, round_id)
        ) FILTER (table_id = tables[1]) AS one,
        arg_min(
            {'round_id': round_id, 'dated_at': dated_at, 'source_file': source_file, 'source_line': source_line}, (dated_at, round_id)
        ) FILTER (table_id = tables[-1]) AS other
    FROM repeated_deals
    WHERE len(tables) > 1
    GROUP BY deal, tables
),
told AS (
    SELECT
        tables,
        count(*) AS deals,
        bool_and(at_once) AS at_once,
        any_value(may_be_chance) AS may_be_chance,
        arg_min({'deal': deal, 'one': one, 'other': other}, (dated_at, deal)) AS earliest
    FROM shared
    GROUP BY tables
)
SELECT
    tables[-1] AS table_id,
    array_to_string(tables, ', ') AS detail,
    earliest.other.source_file AS source_file,
    earliest.other.source_line AS source_line,
    format(
        '{}{} had {} in common, card for card and in the same order: the first ({}, the dealer''s last) is round {} at {} ({}) and '
        || 'round {} at {} ({}). A deck is due to be shuffled before it is dealt ({{rule}}){}.',
        array_to_string(tables[1:5], ', '), CASE WHEN len(tables) > 5 THEN ' and ' || counted(len(tables) - 5, 'more table') ELSE '' END,
        counted(deals, 'deal'), earliest.deal,
        earliest.one.round_id, tables[1], clock(earliest.one.dated_at, NULL),
        earliest.other.round_id, tables[-1], clock(earliest.other.dated_at, NULL),
        CASE
            WHEN len(tables) > 2 THEN '; at three tables or more it can be a scripted one'
            WHEN at_once THEN '; one dealer dealt it within a minute, as where one table goes out under two names'
            WHEN may_be_chance AND deals = 1 THEN '; with as many rounds as this it can be chance'
            ELSE ''
        END
    ) AS message
FROM told
