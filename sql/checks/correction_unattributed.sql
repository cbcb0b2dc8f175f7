-- check: correction_unattributed
-- title: A correction by hand names nobody
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which corrections by hand do not say who made them?
-- examines: card_corrections where source = 'manual'
-- subject: corrections by hand
-- suspects: card_corrections where source = 'manual' and coalesce(trim(corrected_by), '') = ''
-- means: A card was corrected by hand, and the log does not say by whom.
-- matters: A correction can decide who wins. Without a name nobody answers for it.
-- do: Find out from the shift plan and the recording who did it, and have the correction tool demand a name.

SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, hand_key) AS hand_id,
    format(
        'In this round {} by nobody named: who corrects is due to be on record ({{rule}}).',
        string_agg(told, ', ' ORDER BY reading_no)
    ) AS message
FROM (
    SELECT DISTINCT ON (round_key, reading_no) *
    FROM card_corrections
    WHERE source = 'manual' AND coalesce(trim(corrected_by), '') = ''
    ORDER BY round_key, reading_no, was_seq
)
GROUP BY ALL
