-- check: pair_plus_paid_after_fold
-- title: Pair Plus was paid after a fold that forfeits it
-- severity: critical
-- family: money
-- reach: round
-- filing_key: pair_plus.forfeited_by_fold
-- citation: 58 Pa. Code § 649a.11(b)(1)
-- question: Which Pair Plus wagers were paid though a fold forfeits them under the filing?
-- examines: round_sorts by wagers where kind = 'pair_plus' and settlement = 'settled' and is_forfeit
-- subject: Pair Plus wagers forfeited by a fold
-- suspects: round_sorts where is_off and settlement = 'settled' and is_forfeit and kind = 'pair_plus'
-- means: A player folded and was still paid on Pair Plus, under a filing that forfeits Pair Plus together with the ante.
-- matters: Elsewhere Pair Plus can survive a fold. A table that runs software made for such rules pays on every good hand that is folded,
--   night after night, against its own filing.
-- do: Check how the table's software is set for folds. If the game ought to let Pair Plus stand, that is a new filing and not an exception
--   at the table. Look for other folds with a pair or better on the same table.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' handed back ' || handed_back_words || ' after player ' || coalesce(player_id, 'without id') || ' folded; {filing} forfeits it ({rule}): '
        || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'pair_plus_paid_after_fold'
