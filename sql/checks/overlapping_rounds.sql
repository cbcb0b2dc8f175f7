-- check: overlapping_rounds
-- title: The next deal began before this round was posted
-- severity: medium
-- family: control
-- reach: day
-- citation: 58 Pa. Code § 649a.3(a)
-- question: Which rounds were neither posted nor voided when the first card of the table's next round was read?
-- examines: table_rounds where next_round_id is not null
-- subject: rounds with a next round at their table
-- unless: finished_at is null — the log does not say when the round was posted or voided
-- unless: next_first_card_at is null — no card of the next round is timed
-- means: The first card of the table's next round was read before this round was posted or voided.
-- matters: One deck at a time is in play, and one round ends before the next begins. An overlap means that a card may have been read for
--   the wrong round.
-- do: Compare the readings of both rounds with the recording. If only the posting came late, look for the delay; if cards overlap, treat
--   both rounds as doubtful.

SELECT
    table_id, round_id, dealer_id, source_file, source_line,
    format(
        'The first card of the next round {} was read at {}, before this round was {} at {}: one round ends before the next deal ({{rule}}).',
        next_round_id, clock(next_first_card_at, next_first_card_at_digits),
        CASE WHEN status = 'voided' THEN 'voided' ELSE 'posted' END, clock(finished_at, finished_at_digits)
    ) AS message
FROM table_rounds
WHERE is_after(finished_at, finished_at_digits, next_first_card_at, next_first_card_at_digits)
