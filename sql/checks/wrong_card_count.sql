-- check: wrong_card_count
-- title: A hand has more or fewer than three cards
-- severity: critical
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 649a.11
-- question: In which rounds does a hand have more than three cards, or, settled and outside a void, fewer than it needs?
-- examines: card_faults
-- subject: hands
-- unless: NOT has_cards — the feed has no cards
-- suspects: card_faults where fault = 'wrong_card_count' and has_cards
-- suspects: current_participants where hand_key is null
-- means: A hand has more than three cards, or, in a settled round outside a void, fewer than the result needs. A participant who plays on
--   no hand at all counts too.
-- matters: A result on two or four cards is no result of this game. What depends on the hand is left unsettled.
-- do: Look at the recording: a fourth card is a misdeal that should have been voided, a missing one is mostly a reading that was lost. Ask
--   for the telling to be corrected, or for the void.

-- A participant of a settled round who names no hand at all is counted with the hands that have no card.
WITH nowhere AS (
    SELECT people.*
    FROM current_participants AS people
    JOIN current_rounds AS dealt ON dealt.round_key = people.round_key AND dealt.status = 'settled'
    WHERE people.hand_key IS NULL AND NOT list_has_any(coalesce(dealt.feed_lacks, []), ['cards', 'cards_all_day'])
),
staking AS (
    SELECT DISTINCT wagers.participant_key
    FROM nowhere
    JOIN current_wagers AS wagers ON wagers.participant_key = nowhere.participant_key
    WHERE wagers.status = 'accepted' AND wagers.wager_key NOT IN (SELECT wager_key FROM void_scope)
),
handless AS (
    SELECT
        people.table_id, people.round_id, people.round_key, CAST(NULL AS VARCHAR) AS hand_id, people.participant_key AS place,
        true AS is_handless, people.source_file, people.source_line,
        'player ' || coalesce(people.player_id, 'without id') || ' plays on no hand' AS told
    FROM nowhere AS people
    JOIN staking ON staking.participant_key = people.participant_key
),
told AS (
    SELECT
        table_id, round_id, round_key, hand_id, hand_key AS place, false AS is_handless, source_file, source_line,
        CASE
            WHEN read_places IS NULL AND posted_places IS NULL THEN format('{} has no cards', hand_named)
            WHEN read_places IS NULL THEN format('{} has {} posted', hand_named, counted(posted_places, 'card'))
            WHEN posted_places IS NULL THEN format('{} has {} read', hand_named, counted(read_places, 'card'))
            ELSE format('{} has {} read and {} posted', hand_named, counted(read_places, 'card'), posted_places)
        END AS told
    FROM card_faults
    WHERE fault = 'wrong_card_count' AND has_cards
    UNION ALL
    SELECT * FROM handless
)
SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, place) FILTER (NOT is_handless) AS hand_id,
    format('In this round {}: three cards to a hand are due ({{rule}}).', string_agg(told, ', ' ORDER BY is_handless, place)) AS message
FROM told
GROUP BY ALL
