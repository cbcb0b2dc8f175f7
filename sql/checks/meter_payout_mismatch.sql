-- check: meter_payout_mismatch
-- title: A meter paid other than its share
-- severity: critical
-- family: meter
-- reach: round
-- filing_key: meters
-- citation: 58 Pa. Code § 649a.12(e)
-- question: Which meters paid out another amount than the round's winners were due from them?
-- examines: meter_payouts
-- subject: meter movements
-- unless: unsettled > 0 — a wager on the meter is not settled
-- unless: unfiled_awards > 0 — a fixed award was won and the filing does not say whether the meter pays it
-- suspects: meter_payouts where unsettled = 0 and unfiled_awards = 0 and coalesce(paid, 0) <> due
-- means: A meter paid out another amount than the winners of the round were due from it.
-- matters: A jackpot is among the largest sums that this game pays. Too little is owed to a winner; too much is missing from the meter for
--   all others.
-- do: Check the winners' hands and the meter's value before the round, and how the filing shares it among several winners. Correct the
--   payment, then the meter.

SELECT
    table_id, round_id, round_key, currency, filing_no, source_file, source_line,
    due AS expected,
    coalesce(paid, 0) AS paid,
    concat_ws(' ', meter_id, 'seq', coalesce(CAST(seq AS VARCHAR), '#' || meter_no)) AS detail,
    format(
        'The meter {} paid out {} and {} due from it, to {} ({{filing}}: {{rule}}).', meter_id, money(coalesce(paid, 0), currency), money(due, currency) || ' was',
        CASE winners WHEN 0 THEN 'no winner' WHEN 1 THEN 'one winner' ELSE winners || ' winners' END
    ) AS message
FROM meter_payouts
WHERE unsettled = 0 AND unfiled_awards = 0 AND coalesce(paid, 0) <> due
