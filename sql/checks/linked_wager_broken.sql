-- check: linked_wager_broken
-- title: Ante and Pair Plus are not linked as filed
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: linked_ante_pair_plus
-- citation: 58 Pa. Code § 649a.7(e)
-- question: Where ante and Pair Plus are filed as linked and equal, which participants placed one without the other, or unequal ones?
-- examines: filed_sorts by wagers where linked_equal and kind in ('ante', 'pair_plus') and (status = 'accepted' or settlement = 'voided')
-- subject: linked wagers
-- suspects: staked_kinds where linked_equal
-- means: The filing links ante and Pair Plus as equal wagers, and a participant placed one without the other, or unequal ones.
-- matters: The better ante bonus of the linked version is licensed only because Pair Plus always stands beside it. Without the link the
--   player has a game that is not licensed.
-- do: Have the table refuse wagers that are not linked, or file the version without the link and its paytable.

-- The finding stands on the Pair Plus, else on the ante; a stake that was taken back by a void was placed.
WITH unlike AS (
    SELECT participant_key
    FROM settlements
    WHERE filing_no IN (SELECT filing_no FROM filings WHERE linked_equal) AND kind IN ('ante', 'pair_plus')
        AND status <> 'rejected' AND (status = 'accepted' OR settlement = 'voided')
    GROUP BY participant_key
    HAVING sum(stake) FILTER (kind = 'ante') IS DISTINCT FROM sum(stake) FILTER (kind = 'pair_plus')
),
linked AS (
    SELECT
        any_value(table_id) AS table_id, any_value(round_id) AS round_id, any_value(round_key) AS round_key,
        arg_min(wager_id, (kind <> 'pair_plus', wager_key)) AS wager_id,
        any_value(operator_id) AS operator_id, any_value(player_id) AS player_id, any_value(currency) AS currency,
        any_value(filing_no) AS filing_no, any_value(play_mode) AS play_mode, any_value(source_file) AS source_file,
        any_value(source_line) AS source_line,
        sum(stake) FILTER (kind = 'ante') AS ante,
        sum(stake) FILTER (kind = 'pair_plus') AS pair_plus
    FROM settlements
    SEMI JOIN unlike USING (participant_key)
    WHERE filing_no IN (SELECT filing_no FROM filings WHERE linked_equal) AND kind IN ('ante', 'pair_plus')
        AND status <> 'rejected' AND (status = 'accepted' OR settlement = 'voided')
    GROUP BY participant_key
)
SELECT
    * EXCLUDE (ante, pair_plus),
    CASE
        WHEN pair_plus IS NULL THEN format('An ante of {} was placed without the Pair Plus', money(ante, currency))
        WHEN ante IS NULL THEN format('A Pair Plus of {} was placed without the ante', money(pair_plus, currency))
        ELSE format('A Pair Plus of {} was placed with an ante of {}', money(pair_plus, currency), money(ante, currency))
    END || ' where {filing} links the two as equal ({rule}).' AS message
FROM linked
