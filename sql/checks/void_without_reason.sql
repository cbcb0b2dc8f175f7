-- check: void_without_reason
-- title: A void has no reason or no authoriser
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which voids, of a round or of a part of one, carry no reason or name no one who authorised them?
-- examines: current_rounds where has_void or status = 'voided'
-- subject: voids
-- unless: list_contains(feed_lacks, 'void_reason') — the feed gives no reasons of voids
-- means: A void, of a round or of a part of one, gives no reason or names nobody who authorised it.
-- matters: A void takes winnings away. Without reason and name it cannot be told from one that was called because the house was losing.
-- do: Have both added in a later telling of the round. Look at the voids of the same shift together, and at what the players would have
--   won.

WITH voids AS (
    SELECT *, nullif(trim(void_reason), '') AS reason, nullif(trim(void_authorised_by), '') AS authoriser
    FROM current_rounds
    WHERE has_void OR status = 'voided'
)
SELECT
    table_id, round_id, round_key, dealer_id, source_file, source_line,
    format(
        'The round was voided{}{}{}: a void is due a reason and an authoriser ({{rule}}).',
        CASE WHEN status = 'voided' THEN '' ELSE ' in part' END,
        CASE WHEN reason IS NULL THEN ' without a reason' ELSE ' (' || reason || ')' END,
        CASE
            WHEN authoriser IS NOT NULL THEN ' by ' || authoriser
            WHEN reason IS NULL THEN ' and without an authoriser'
            ELSE ' without an authoriser'
        END
    ) AS message
FROM voids
WHERE (reason IS NULL OR authoriser IS NULL) AND NOT coalesce(list_contains(feed_lacks, 'void_reason'), false)
