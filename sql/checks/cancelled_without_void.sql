-- check: cancelled_without_void
-- title: A wager was cancelled though nothing was voided
-- severity: high
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers were taken and then reversed without a void that names them?
-- examines: round_sorts by wagers where status = 'cancelled' and settlement in ('voided', 'not_accepted')
-- subject: cancelled wagers
-- suspects: round_sorts where status = 'cancelled' and settlement = 'not_accepted'
-- means: A wager was taken and then cancelled, and no void covers it.
-- matters: A cancellation outside a void undoes a bet without a reason or an authoriser on record. Used after the cards are known it
--   removes a loss.
-- do: Ask why it was cancelled and when. A stake that was cancelled by the wallet before the deal belongs in the log as rejected.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, filing_no, play_mode, source_file, source_line,
    format(
        'The {} wager of {} was taken and then cancelled, and no void covers it: a void was due, with reason and authoriser ({{rule}}).',
        kind_in_words(kind), money(stake, currency)
    ) AS message
FROM settlements
WHERE status = 'cancelled' AND settlement = 'not_accepted'
