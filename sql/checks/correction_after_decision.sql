-- check: correction_after_decision
-- title: A player card became another after a decision on it
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 649a.11
-- question: In which rounds did a player's card become another after a participant on that hand had decided, and what is due by either?
-- examines: card_corrections where hand_id <> 'dealer' and was_seq is not null and is_changed
-- subject: corrections that change a player's card
-- unless: read_at is null — the correction is not timed
-- suspects: card_corrections where hand_id <> 'dealer' and was_seq is not null and is_changed
-- means: A player's card became another card after a participant on that hand had decided to play or to fold. A card that was unreadable
--   and became known counts too.
-- matters: The player decided on cards that were not the cards. A fold on a wrong picture loses a hand that would have been played, and a
--   play may have been made on one that was worthless.
-- do: Watch what the player was shown at the moment of the decision. Where the shown hand and the real one ask for different decisions, the
--   round is a case for a void or for a goodwill decision by the house.

-- Where only test participants had decided, the finding is a test participant's.
WITH late AS (
    SELECT
        changed.*,
        people.decided_at, people.decided_at_digits, people.player_id, people.play_mode
    FROM card_corrections AS changed
    JOIN current_participants AS people ON people.hand_key = changed.hand_key
    WHERE
        changed.hand_id <> 'dealer'
        AND changed.is_changed
        AND changed.was_seq IS NOT NULL
        AND is_after(changed.read_at, changed.read_at_digits, people.decided_at, people.decided_at_digits)
),
told AS (
    SELECT
        table_id, round_id, round_key, source_file, source_line, hand_id, hand_key, reading_no,
        bool_and(play_mode = 'test') AS is_test,
        format(
            '{}, after player {} had decided at {}',
            any_value(told), arg_min(coalesce(player_id, 'without id'), (decided_at, player_id)),
            clock(min(decided_at), arg_min(decided_at_digits, (decided_at, decided_at_digits)))
        ) AS told
    FROM late
    GROUP BY table_id, round_id, round_key, source_file, source_line, hand_id, hand_key, reading_no
)
SELECT
    told.table_id, told.round_id, told.round_key, told.source_file, told.source_line,
    arg_min(told.hand_id, told.hand_key) AS hand_id,
    CASE WHEN bool_and(told.is_test) THEN 'test' END AS play_mode,
    format(
        'In this round {}: a decision is due on the cards as they stand ({{rule}}). Of its real wagers, {}.',
        string_agg(told.told, '; ' ORDER BY told.hand_key, told.reading_no),
        coalesce(any_value(due.told), 'nothing is due by either reading')
    ) AS message
FROM told
LEFT JOIN reread_money AS due ON due.round_key = told.round_key
GROUP BY ALL
