-- check: wager_before_open
-- title: Wager placed before bets opened
-- severity: medium
-- family: wager rules
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers that were taken were placed before their round opened?
-- examines: timed_sorts by wagers where status <> 'rejected'
-- subject: wagers that were taken
-- unless: not has_place_time — the log does not say when it was placed
-- unless: opened_at is null — the log does not say when bets opened
-- suspects: timed_sorts where status <> 'rejected' and first_placed_at < opened_at
-- means: A wager that was taken was placed before its round had opened for bets.
-- matters: It may belong to the round before, whose result was known by then. Otherwise it is an error of a clock.
-- do: Compare the wager with the previous round: if its bets had closed at that time, ask how the wager came to this one.

SELECT
    w.table_id, w.round_id, w.round_key, w.wager_id, w.hand_id, w.operator_id, w.player_id, w.currency, w.kind, w.play_mode, w.filing_no,
    w.source_file, w.source_line,
    kind_in_words(w.kind) || ' of ' || money(w.stake, w.currency) || ' was placed at ' || clock(w.placed_at, w.placed_at_digits)
        || ', before bets opened at ' || clock(r.opened_at, r.opened_at_digits) || ' ({filing}): no wager was due before that.' AS message
FROM settled_wagers AS w
JOIN current_rounds AS r ON r.round_key = w.round_key
WHERE w.status <> 'rejected' AND is_after(r.opened_at, r.opened_at_digits, w.placed_at, w.placed_at_digits)
