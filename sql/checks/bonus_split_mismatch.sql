-- check: bonus_split_mismatch
-- title: Right in all, wrong between wager and bonus
-- severity: medium
-- family: money
-- reach: round
-- filing_key: ante_bonus.odds
-- citation: 58 Pa. Code § 649a.12(b)
-- question: Which settled wagers handed back the right amount in all, but split wrongly between the wager and its bonus?
-- examines: round_sorts by wagers where settlement in ('settled', 'unsettleable') and (kind = 'ante' or has_bonus)
-- subject: settled antes, or other wagers with a bonus booked beside them
-- unless: settlement = 'unsettleable' — unsettleable ({settlement_reason})
-- unless: not has_bonus — the bonus is not booked beside the wager
-- suspects: round_sorts where is_off and settlement = 'settled'
-- means: The ante and its bonus together were paid right, but the split between them in the log is not the one that was due.
-- matters: No player is short, yet every report on what the bonus costs is wrong, and a jackpot or promotion that is accounted by it is
--   charged the wrong amount.
-- do: Have the studio book the bonus as the paytable gives it. Nothing is to be paid or claimed back.

SELECT
    table_id, round_id, round_key, wager_id, operator_id, player_id, currency, kind, play_mode, due AS expected, handed_back AS paid, delta,
    filing_no, filing_key, citation, source_file, source_line,
    kind_words || ' of ' || money(stake, currency) || ' handed back ' || money(handed_back, currency) || ' in all, as was due, but '
        || money(bonus_paid, currency) || ' of it as bonus ({filing}: {rule}): ' || money(coalesce(expected_bonus, 0), currency) || ' was due as bonus.' AS message
FROM wager_faults
WHERE fault = 'bonus_split_mismatch'
