-- check: currency_not_filed
-- title: Wager in a currency that is not filed
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: currencies
-- citation: 58 Pa. Code § 816a.2
-- question: Which wagers were taken in a currency that the filing in force does not name?
-- examines: filed_sorts by wagers
-- subject: wagers that were taken
-- unless: filing_no is null — no filing was in force
-- unless: currency is null — the log gives no currency
-- suspects: staked_kinds where not currency_filed
-- means: A wager was taken in a currency that the filing in force does not name.
-- matters: Limits, rounding and payout caps are filed by currency. In another one none of them is known.
-- do: File the currency, or have the operator convert before it bets. Check whether the code is a mere alias in the feed.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, filing_no, play_mode, source_file, source_line,
    format(
        'The {} wager of {} was taken in a currency that {{filing}} does not name ({{rule}}).', kind_in_words(kind), money(stake, currency)
    ) AS message
FROM filed_stakes
WHERE NOT currency_filed
