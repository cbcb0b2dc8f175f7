-- check: paid_after_fold
-- title: A forfeited wager or a folded ante was paid
-- severity: critical
-- family: money
-- reach: round
-- filing_key: fold
-- citation: 58 Pa. Code § 649a.11
-- question: Which folded antes, and which other wagers that a fold forfeits under the filing, were paid?
-- examines: round_sorts by wagers where kind <> 'pair_plus' and settlement = 'settled' and is_forfeit
-- subject: folded antes and other wagers forfeited by a fold
-- suspects: round_sorts where is_off and settlement = 'settled' and is_forfeit
-- means: A folded ante, or a side wager other than Pair Plus that the filing forfeits with a fold, was handed something back.
-- matters: A fold gives up the ante for good. Paying it makes folding free: a weak hand then costs its player nothing.
-- do: See whether a play was made and lost on its way to the log, in which case the log is wrong and not the payment. Otherwise treat it as
--   a payout in error and look at what decided the fold: player, time-out or disconnect.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' handed back ' || handed_back_words || ' after player ' || coalesce(player_id, 'without id') || ' folded; {filing} forfeits it ({rule}): '
        || due_words || ' was due.' AS message
FROM wager_faults
WHERE fault = 'paid_after_fold'
