-- check: correction_after_posting
-- title: A card was corrected after the result was posted
-- severity: critical
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which settled rounds, outside a void, was a card corrected after the result was posted?
-- examines: card_corrections where stands
-- subject: corrections in settled rounds
-- unless: read_at is null — the correction is not timed
-- unless: posted_at is null — the log does not say when the result was posted
-- means: In a settled round outside a void, a card was corrected after the result had been posted.
-- matters: Players are paid by the posted result. A later change means that it was wrong when it was posted, or that it was altered after
--   the money had moved.
-- do: Settle the round under both readings and see who won and lost by the change. Ask why it was not voided, and who allowed the
--   correction.

SELECT
    table_id, round_id, round_key, source_file, source_line,
    arg_min(hand_id, hand_key) AS hand_id,
    format(
        'In this round {}, after the result was posted at {}: the cards are due to be settled by then ({{rule}}).',
        string_agg(told, ', ' ORDER BY reading_no), clock(any_value(posted_at), any_value(posted_at_digits))
    ) AS message
FROM (SELECT DISTINCT ON (round_key, reading_no) * FROM card_corrections WHERE stands ORDER BY round_key, reading_no, was_seq)
WHERE is_after(read_at, read_at_digits, posted_at, posted_at_digits)
GROUP BY table_id, round_id, round_key, source_file, source_line
