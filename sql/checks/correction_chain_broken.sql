-- check: correction_chain_broken
-- title: A correction replaces nothing that it could
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which corrections replace a reading that is not there, themselves, another place, or one that another replaces too?
-- examines: card_corrections
-- subject: corrections

-- A correction that belongs to no hand casts doubt on none, and is told all the same.
SELECT
    corrections.table_id, corrections.round_id, corrections.round_key, corrections.source_file, corrections.source_line,
    arg_min(corrections.hand_id, corrections.hand_key) AS hand_id,
    format(
        'In this round {}: a correction is due to replace one standing reading of its own place ({{rule}}).',
        string_agg(
            format('reading {} of {} replaces reading {}, {}', corrections.seq, corrections.hand_named, broken.replaces, broken.fault),
            '; ' ORDER BY corrections.reading_no
        )
    ) AS message
FROM card_corrections AS corrections
JOIN (
    SELECT faults.round_key, faults.reading_no, links.replaces, arg_min(faults.fault, faults.fault_no) AS fault
    FROM broken_corrections AS faults
    JOIN (SELECT DISTINCT round_key, reading_no, replaces FROM corrections) AS links
        ON links.round_key = faults.round_key AND links.reading_no = faults.reading_no
    GROUP BY ALL
) AS broken ON broken.round_key = corrections.round_key AND broken.reading_no = corrections.reading_no
GROUP BY ALL
