-- check: stake_outside_limits
-- title: Stake outside the filed limits
-- severity: medium
-- family: wager rules
-- reach: round
-- filing_key: limits.{kind}
-- citation: 58 Pa. Code § 816a.1
-- question: Which stakes are below the filed minimum or above the filed maximum of their kind and currency?
-- examines: filed_sorts by wagers
-- subject: wagers that were taken
-- unless: filing_no is null — no filing was in force
-- unless: lowest is null and highest is null — no limit is filed for the kind and currency
-- suspects: staked_kinds where least < lowest or most > highest
-- means: The stake is below the filed minimum or above the filed maximum of its kind and currency.
-- matters: Limits are shown to players and filed. A stake above them is a risk that nobody approved, one below them mostly a wrong unit.
-- do: Check the limits that the table enforces against the filing. A stake that is off by a factor of a hundred or a thousand is a fault of
--   the currency's minor unit.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, filing_no, play_mode, source_file, source_line,
    CASE
        WHEN stake < lowest THEN format(
            'The {} stake of {} is below the least that {{filing}} allows, {} ({{rule}}).',
            kind_in_words(kind), money(stake, currency), money(lowest, currency)
        )
        ELSE format(
            'The {} stake of {} is above the most that {{filing}} allows, {} ({{rule}}).',
            kind_in_words(kind), money(stake, currency), money(highest, currency)
        )
    END AS message
FROM filed_stakes
WHERE (least < lowest OR most > highest) AND (stake < lowest OR stake > highest)
