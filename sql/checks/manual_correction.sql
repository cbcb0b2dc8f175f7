-- check: manual_correction
-- title: A card was corrected by hand
-- severity: info
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which rounds was a card corrected by hand?
-- examines: card_corrections
-- subject: corrections
-- suspects: card_corrections where source = 'manual'
-- means: A person changed what the scanner read. That is allowed; it is listed so that somebody looks at it.
-- matters: Every correction by hand is a moment in which a person decided what a card was. Their number by dealer and by table shows where
--   readers fail, and where people help more than they should.
-- do: Compare a sample with the recordings. A table with many needs its reader cleaned or replaced.

SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, hand_key) AS hand_id,
    format(
        'In this round {}: a correction by hand is due to be looked at ({{rule}}).',
        string_agg(told, ', ' ORDER BY reading_no)
    ) AS message
FROM (SELECT DISTINCT ON (round_key, reading_no) * FROM card_corrections WHERE source = 'manual' ORDER BY round_key, reading_no, was_seq)
GROUP BY ALL
