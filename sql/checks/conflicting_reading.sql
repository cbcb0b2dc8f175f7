-- check: conflicting_reading
-- title: Two unreplaced readings of one place differ
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which rounds was one place read as two cards, with neither reading replaced?
-- examines: card_faults
-- subject: hands
-- unless: read_places is null — the log has no readings of the hand
-- suspects: card_faults where fault = 'conflicting_reading'
-- means: One place of a hand was read twice as two different cards, and neither reading says that it replaces the other. "??" is like nothing,
--   another "??" included.
-- matters: The log does not say which card was in play. A correction must name the reading that it corrects, or the first reading could be
--   anything.
-- do: Look the card up on the recording and ask for the correction to be linked to what it replaces. Repeated cases on one table point to a
--   reader that sees the neighbouring card.

WITH texts AS (
    SELECT
        hand_key, position, coalesce(card, 'nothing') AS card, if(card = '??', reading_no, NULL) AS unlike, min(reading_no) AS reading_no
    FROM counted_readings
    WHERE position IS NOT NULL
    GROUP BY ALL
),
told AS (
    SELECT
        faults.table_id, faults.round_id, faults.round_key, faults.hand_id, faults.hand_key, faults.source_file, faults.source_line,
        texts.position,
        format(
            'card {} of {} was read as {}',
            texts.position, faults.hand_named, string_agg(texts.card, ' and as ' ORDER BY texts.reading_no)
        ) AS told
    FROM card_faults AS faults
    JOIN texts ON texts.hand_key = faults.hand_key
    WHERE faults.fault = 'conflicting_reading'
    GROUP BY
        faults.table_id, faults.round_id, faults.round_key, faults.hand_id, faults.hand_key, faults.source_file, faults.source_line,
        faults.hand_named, texts.position
    HAVING count(*) > 1
)
SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, hand_key) AS hand_id,
    format(
        'In this round {}, and no reading replaces the other: one card to a place is due ({{rule}}).',
        string_agg(told, ', ' ORDER BY hand_key, position)
    ) AS message
FROM told
GROUP BY ALL
