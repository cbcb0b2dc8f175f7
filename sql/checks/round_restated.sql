-- check: round_restated
-- title: A later telling replaced a round
-- severity: info
-- family: log
-- reach: round
-- question: Which rounds were told again with other content, and what changed? Medium where money, cards, a decision or a void changed.
-- examines: current_rounds
-- subject: rounds
-- suspects: round_tellings where not rivals
-- means: A later telling of the round replaced an earlier one with other content. The finding is medium where money, cards, a decision or a
--   void changed, and otherwise for information.
-- matters: Providers do change records after the first delivery. What was reported on the first telling may no longer hold, and a change of
--   cards or money after the fact deserves a reason.
-- do: Read what changed. Ask for the reason where money or cards did, and look whether a payment followed the change.

WITH changes AS (
    SELECT
        round_key,
        count(*) AS fields,
        bool_or(weighs) AS weighs,
        list(
            format('{} of {} {} → {}', field, part, coalesce(before, 'nothing'), coalesce(after, 'nothing'))
            ORDER BY weighs DESC, part_no, part, field
        )[1:4] AS told
    FROM telling_changes
    GROUP BY round_key
)
SELECT
    pair.table_id, pair.round_id, pair.round_key, pair.dealer_id, pair.source_file, pair.source_line,
    CASE WHEN changes.weighs THEN 'medium' ELSE 'info' END AS severity,
    coalesce('revision ' || pair.revision, 'telling ' || pair.telling_no) AS detail,
    format(
        '{} replaced {}: {}{}.{}',
        coalesce('Revision ' || pair.revision, 'A later telling'),
        coalesce('revision ' || pair.earlier_revision, 'the one before'),
        coalesce(array_to_string(changes.told, '; '), 'no field that is read changed'),
        CASE WHEN changes.fields > 4 THEN format('; and {} more', changes.fields - 4) ELSE '' END,
        CASE WHEN pair.is_ranked THEN '' ELSE ' Neither a revision nor a time of recording says which of the two counts: the later to arrive does.' END
    ) AS message
FROM round_tellings AS pair
LEFT JOIN changes ON changes.round_key = pair.round_key
WHERE NOT pair.rivals
