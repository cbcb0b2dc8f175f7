-- check: void_scope_unknown
-- title: A void names what the round has not
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which voids name a hand, player or wager that the round has not, name nothing, or contradict the round's status?
-- examines: current_rounds where has_void
-- subject: voids
-- means: The void names a hand, player or wager that the round does not have, names nothing at all, or its scope contradicts the status of
--   the round. What is named and known is voided all the same.
-- matters: Somebody meant to give stakes back, and the log does not say whose. Those who were meant may go without a refund.
-- do: Find out from the report of the incident who was meant, refund them, and have the void corrected. A hand id of the round before is
--   the usual slip.

WITH voids AS (SELECT * FROM current_rounds WHERE has_void),
known AS (
    SELECT voids.round_key, hands.known_hands, people.known_players, wagers.known_wagers
    FROM voids
    JOIN (
        SELECT round_key, list(hand_id) AS known_hands FROM current_hands SEMI JOIN voids USING (round_key) GROUP BY round_key
    ) AS hands USING (round_key)
    LEFT JOIN (
        SELECT round_key, list(player_id) AS known_players FROM current_participants SEMI JOIN voids USING (round_key) GROUP BY round_key
    ) AS people USING (round_key)
    LEFT JOIN (
        SELECT round_key, list(wager_id) AS known_wagers FROM current_wagers SEMI JOIN voids USING (round_key) GROUP BY round_key
    ) AS wagers USING (round_key)
),
judged AS (
    SELECT
        voids.*,
        list_filter(void_hand_ids, lambda named: NOT list_contains(known_hands, named)) AS strange_hands,
        list_filter(void_player_ids, lambda named: NOT list_contains(coalesce(known_players, []), named)) AS strange_players,
        list_filter(void_wager_ids, lambda named: NOT list_contains(coalesce(known_wagers, []), named)) AS strange_wagers,
        len(coalesce(void_hand_ids, [])) + len(coalesce(void_player_ids, [])) + len(coalesce(void_wager_ids, [])) AS named
    FROM voids
    JOIN known USING (round_key)
),
told AS (
    SELECT
        *,
        list_filter([
            CASE WHEN len(strange_hands) > 0 THEN format('names the hand {}, which the round has not', array_to_string(strange_hands, ', ')) END,
            CASE
                WHEN len(strange_players) > 0 THEN format('names the player {}, who is not in the round', array_to_string(strange_players, ', '))
            END,
            CASE
                WHEN len(strange_wagers) > 0 THEN format('names the wager {}, which the round has not', array_to_string(strange_wagers, ', '))
            END,
            CASE WHEN status <> 'voided' AND named = 0 THEN 'names no hand, player or wager' END,
            CASE
                WHEN (status = 'voided') <> (void_scope = 'round') THEN format('has the scope {} in a round that is {}', void_scope, status)
            END
        ], lambda wrong: wrong IS NOT NULL) AS wrongs
    FROM judged
)
SELECT
    table_id, round_id, round_key, dealer_id, source_file, source_line,
    format(
        'The void {}: what it takes back is due to be named, and only what the round holds ({{rule}}).', array_to_string(wrongs, '; it ')
    ) AS message
FROM told
WHERE len(wrongs) > 0
