-- check: paid_without_stake
-- title: Something was handed back where nothing was staked
-- severity: critical
-- family: money
-- reach: round
-- citation: 58 Pa. Code § 649a.12
-- question: Which wagers that were rejected, cancelled outside a void, or of a stake of zero were handed something back?
-- examines: round_sorts by wagers where settlement = 'not_accepted' or is_without_stake
-- subject: wagers without a stake that stood
-- suspects: round_sorts where (settlement = 'not_accepted' or is_without_stake) and is_paid
-- means: Something was handed back on a wager that was rejected, was cancelled outside any void, or has a stake of zero.
-- matters: Where no stake stood there was no bet, so nothing can be won on it. Such a payment is a gift or an error, and no stake stands
--   against it in the books.
-- do: See who or what started the payment. Compare the wallet: if the stake was in fact taken, the wager's status is wrong; if not, claim
--   the payment back.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, filing_no, source_file, source_line,
    coalesce(expected + coalesce(expected_bonus, 0), 0) AS expected,
    CAST(coalesce(paid, 0) AS DECIMAL(38, 6)) + coalesce(bonus_paid, 0) AS paid,
    kind_in_words(kind) || ' handed back ' || money(CAST(coalesce(paid, 0) AS DECIMAL(38, 6)) + coalesce(bonus_paid, 0), currency)
        || CASE WHEN settlement = 'not_accepted' THEN ' though it was ' || status || ' and no stake of it stood'
                ELSE ' on a stake of zero' END
        || ' ({filing}): nothing was due.' AS message
FROM settlements
WHERE (settlement = 'not_accepted' OR stake = 0) AND (paid > 0 OR bonus_paid > 0)
