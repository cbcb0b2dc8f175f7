-- check: reading_hand_mismatch
-- title: The cards read are not the cards posted
-- severity: critical
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which settled rounds, outside a void, was a hand posted with other cards than were read for it?
-- examines: card_faults where stands
-- subject: hands
-- unless: read_places is null — the log has no readings of the hand
-- unless: posted_places is null — the hand was not posted
-- suspects: card_faults where fault = 'reading_hand_mismatch'
-- means: The cards that were read for a hand and the cards that were posted for it are not the same set.
-- matters: Players are paid by what is posted, while the scanner saw something else. One of the two is wrong, and the wagers that depend on
--   the hand are not settled until it is known which.
-- do: Compare both with the recording. If the posted hand was changed by hand, ask who did it and why there is no correction in the log.

WITH told AS (
    SELECT
        faults.table_id, faults.round_id, faults.round_key, faults.hand_id, faults.hand_key, faults.source_file, faults.source_line,
        format('{} was read as {} and posted as {}', faults.hand_named, counted.cards, array_to_string(faults.posted, ' ')) AS told
    FROM card_faults AS faults
    JOIN (
        SELECT hand_key, string_agg(card, ' ' ORDER BY position) AS cards
        FROM (SELECT DISTINCT hand_key, position, card FROM counted_readings)
        GROUP BY hand_key
    ) AS counted ON counted.hand_key = faults.hand_key
    WHERE faults.fault = 'reading_hand_mismatch'
)
SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, hand_key) AS hand_id,
    format('In this round {}: the cards read are due to be those posted ({{rule}}).', string_agg(told, ', ' ORDER BY hand_key)) AS message
FROM told
GROUP BY ALL
