-- check: correction_chain_broken
-- title: A correction replaces nothing that it could
-- severity: high
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which corrections replace a reading that is not there, themselves, another place, or one that another replaces too?
-- examines: card_corrections
-- subject: corrections
-- suspects: broken_corrections
-- means: A correction replaces a reading that is not there, replaces itself, runs in a circle, belongs to another place, or replaces what
--   another correction replaces too.
-- matters: The chain of corrections is the only trace of how a card came to be what it is. Where it is broken, the card that counts cannot
--   be told, and its hand is not trusted.
-- do: Ask the studio for the complete list of readings of the round. If the tool for corrections lets an operator pick the wrong reading,
--   have that stopped.

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
    JOIN corrections AS links
        ON links.round_key = faults.round_key AND links.reading_no = faults.reading_no
    GROUP BY ALL
) AS broken ON broken.round_key = corrections.round_key AND broken.reading_no = corrections.reading_no
GROUP BY ALL
