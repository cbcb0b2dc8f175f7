-- check: conflicting_round
-- title: Two contents of a round in one delivery
-- severity: high
-- family: log
-- reach: round
-- question: Which rounds stand in one delivery with two contents, so that none of their wagers can be settled?
-- examines: current_rounds
-- subject: rounds
-- suspects: current_rounds where conflicting
-- means: One delivery holds the round with two different contents and nothing that says which of them holds. None of its wagers is settled.
-- matters: Choosing one of the two would be a guess about money. Both are kept.
-- do: Ask the studio to withdraw one, or to deliver the right one later or with a higher revision: that telling then replaces both.

WITH changes AS (
    SELECT
        round_key,
        count(*) AS fields,
        list(
            format('{} of {} {} or {}', field, part, coalesce(before, 'nothing'), coalesce(after, 'nothing'))
            ORDER BY weighs DESC, part_no, part, field
        )[1:4] AS told
    FROM telling_changes
    GROUP BY round_key
)
SELECT
    dealt.table_id, dealt.round_id, dealt.round_key, dealt.dealer_id, dealt.source_file, dealt.source_line,
    format(
        'The delivery tells the round in two ways ({}{}): its wagers cannot be settled until one of them is withdrawn.',
        coalesce(array_to_string(changes.told, '; '), 'the fields that are read agree'),
        CASE WHEN changes.fields > 4 THEN format('; and {} more', changes.fields - 4) ELSE '' END
    ) AS message
FROM current_rounds AS dealt
LEFT JOIN changes ON changes.round_key = dealt.round_key
WHERE dealt.conflicting
