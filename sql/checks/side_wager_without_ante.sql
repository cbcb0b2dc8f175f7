-- check: side_wager_without_ante
-- title: Side wager that may not stand alone has no ante
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: {kind}.alone
-- citation: 58 Pa. Code § 649a.7
-- question: Which side wagers that are filed with alone = false were taken from a participant who placed no ante?
-- examines: filed_sorts by wagers where kind not in ('ante', 'play') and not alone and (status = 'accepted' or settlement = 'voided')
-- subject: side wagers that may not stand alone
-- unless: filing_no is null — no filing was in force
-- suspects: seats where has_side_wager and not has_ante
-- means: A side wager that the filing offers only beside an ante was taken from a participant without one.
-- matters: A side wager alone lets a player take only the part of the game that suits them, at a price that was filed for those who play
--   all of it.
-- do: See whether the ante was rejected after the side wager was taken; the two should stand or fall together. Otherwise mend the table's
--   rule.

-- An ante that was taken back by a void was placed; one that was cancelled otherwise was not.
WITH lonely AS (
    SELECT wager_key
    FROM filed_stakes
    SEMI JOIN (FROM seats WHERE has_side_wager AND NOT has_ante) AS those USING (participant_key)
    WHERE kind NOT IN ('ante', 'play') AND NOT alone AND (status = 'accepted' OR settlement = 'voided')
)
SELECT
    wager.table_id, wager.round_id, wager.round_key, wager.wager_id, wager.operator_id, wager.player_id, wager.currency, wager.kind,
    wager.filing_no, wager.play_mode, wager.source_file, wager.source_line,
    format(
        'The {} wager of {} was taken without an ante, beside which alone {{filing}} offers it ({{rule}}).',
        kind_in_words(wager.kind), money(wager.stake, wager.currency)
    ) AS message
FROM lonely
JOIN settlements AS wager ON wager.wager_key = lonely.wager_key
