-- check: wager_not_offered
-- title: Wager that the filing does not offer
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: wagers
-- citation: 58 Pa. Code § 816a.2
-- question: Which wagers were taken on a kind that the filing in force does not offer?
-- examines: filed_sorts by wagers
-- subject: wagers that were taken
-- unless: filing_no is null — no filing was in force
-- suspects: staked_kinds where not offered
-- means: A wager was taken on a kind that the filing in force does not offer at all. It is not settled, since nothing says what it is due.
-- matters: Offering a bet that was not filed is offering a game that was not approved.
-- do: If it is a known bet under another name, correct the name in the feed. If it is new, stop it at the table until it is filed.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, filing_no, play_mode, source_file, source_line,
    format(
        'A wager of {} was taken on "{}", which {{filing}} does not offer ({{rule}}): nothing says what is due.',
        money(stake, currency), kind
    ) AS message
FROM filed_stakes
WHERE NOT offered
