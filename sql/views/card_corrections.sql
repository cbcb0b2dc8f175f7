-- view: card_corrections
-- title: Each current reading that replaces another, beside what it replaces
-- reach: round

-- One row a reading with `replaces`; was and was_seq are null where that names no reading of the same place. told is the correction in
-- words.
SELECT
    later.table_id,
    later.round_id,
    later.round_key,
    later.hand_key,
    later."to" AS hand_id,
    CASE
        WHEN later."to" = 'dealer' THEN 'the dealer''s hand' WHEN later."to" IS NULL THEN 'no hand' ELSE 'hand ' || later."to"
    END AS hand_named,
    later.reading_no,
    later.seq,
    later.source,
    later."by" AS corrected_by,
    later.read_at,
    later.read_at_digits,
    later.source_file,
    later.source_line,
    earlier.seq AS was_seq,
    earlier.card AS was,
    later.card AS became,
    earlier.card IS DISTINCT FROM later.card AS is_changed,
    dealt.posted_at,
    dealt.posted_at_digits,
    coalesce(state.stands, false) AS stands,
    format(
        'card {} of {} was corrected from {} to {} at {}{}',
        coalesce(CAST(later.position AS VARCHAR), 'without a place'),
        hand_named,
        CASE WHEN earlier.reading_no IS NULL THEN 'a reading that is not there' ELSE coalesce(earlier.card, 'no card') END,
        coalesce(later.card, 'no card'),
        clock(later.read_at, later.read_at_digits),
        coalesce(' by ' || later."by", '')
    ) AS told
FROM (SELECT * FROM current_card_readings WHERE replaces IS NOT NULL) AS later
JOIN current_rounds AS dealt ON dealt.round_key = later.round_key
LEFT JOIN hand_state AS state ON state.hand_key = later.hand_key
LEFT JOIN (SELECT * FROM current_card_readings WHERE round_key IN (SELECT round_key FROM corrections)) AS earlier
    ON earlier.round_key = later.round_key
    AND earlier.seq = later.replaces
    AND earlier.reading_no <> later.reading_no
    AND earlier."to" IS NOT DISTINCT FROM later."to"
    AND earlier.position IS NOT DISTINCT FROM later.position
