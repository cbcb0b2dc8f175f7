-- check: repeated_deal
-- title: A deal came twice at one table in a day
-- severity: info
-- family: cards
-- reach: day
-- citation: 58 Pa. Code § 649a.3
-- question: Which rounds were dealt, card for card and in the same order, as an earlier round of the day at their table?
-- examines: whole_deals
-- subject: rounds with every card
-- unless: NOT has_cards — the feed has no cards
-- unless: deal IS NULL — not all hands show three cards that can be trusted
-- means: Every hand and the dealer's hand have the same cards in the same places as in an earlier round of the gaming day at this table.
-- matters: A shuffled deck gives one hand and the dealer the same six cards in the same order once in 14,658,134,400 deals. Twice in a
--   day means a round that was logged under two numbers, cards that were played from a recording, or a deck that nobody shuffled.
-- do: Watch both rounds. If there is one set of pictures, one of the two was never dealt: have it taken back. The finding says where an
--   honest studio of this size sees one such round by chance more than once a year, and where three or more tables have the deal, as with
--   a scripted one.

WITH again AS (
    SELECT *, count(*) OVER (PARTITION BY table_id) AS rounds_again FROM repeated_deals WHERE before IS NOT NULL
)
SELECT
    table_id, round_id, round_key, dealer_id, source_file, source_line,
    format(
        'Every card of this round ({}, the dealer''s last) lay where it lay in round {} at {}: a deck is due to be shuffled before '
        || 'it is dealt again ({{rule}}){}.',
        deal, before.round_id, clock(before.dated_at, NULL),
        CASE
            WHEN len(tables) > 2 THEN format('; {} tables have this deal, as with a scripted one', len(tables))
            WHEN may_be_chance AND rounds_again = 1 THEN '; with as many rounds as this it can be chance'
            ELSE ''
        END
    ) AS message
FROM again
