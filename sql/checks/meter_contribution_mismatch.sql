-- check: meter_contribution_mismatch
-- title: A meter was fed other than by the filed share of the stakes
-- severity: info
-- family: meter
-- reach: round
-- filing_key: meters
-- citation: 58 Pa. Code § 649a.12(e)
-- question: To which meters was another amount added than the filed share of the wagers placed in the round?
-- examines: meter_contributions
-- subject: meter movements
-- unless: contribution is null — the movement does not say what was added
-- unless: is_unfiled — a wager on the meter was placed under a filing that does not say what share feeds it
-- unless: unclear > 0 — a wager on the meter was free, cancelled, voided, not settled, in another currency or a test player's
-- suspects: meter_contributions where not is_unfiled and unclear = 0 and contribution not between least and most
-- means: What a round added to a progressive meter is not the filed share of the wagers placed on it, whichever way each share is rounded.
-- matters: The meter is fed from the players' stakes. What is held back is missing from the next jackpot; what is added without a wager is
--   paid by nobody.
-- do: Compare the round's wagers on the meter with its movement. A wrong share in every round is a setting; one in a single round mostly
--   means a wager that is missing from the log.

SELECT
    table_id, round_id, round_key, currency, filing_no, source_file, source_line,
    concat_ws(' ', meter_id, 'seq', coalesce(CAST(seq AS VARCHAR), '#' || meter_no)) AS detail,
    format(
        'The round added {} to the meter {}, and {} is the filed share of the wagers on it ({{filing}}: {{rule}}).',
        money(contribution, currency), meter_id,
        money(least, currency) || CASE WHEN most > least THEN ' to ' || money(most, currency) ELSE '' END
    ) AS message
FROM meter_contributions
WHERE NOT is_unfiled AND unclear = 0 AND contribution NOT BETWEEN least AND most
