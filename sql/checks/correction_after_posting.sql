-- check: correction_after_posting
-- title: A card was corrected after the result was posted
-- severity: critical
-- family: cards
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: In which settled rounds, outside a void, was a card corrected after the result was posted, and what is due by either?
-- examines: card_corrections where stands
-- subject: corrections in settled rounds
-- unless: read_at is null — the correction is not timed
-- unless: posted_at is null — the log does not say when the result was posted
-- suspects: card_corrections where stands and read_at > posted_at
-- means: In a settled round outside a void, a card was corrected after the result had been posted.
-- matters: Players are paid by the posted result. A later change means that it was wrong when it was posted, or that it was altered after
--   the money had moved.
-- do: The sentence says what is due by the first and by the last reading: see who won and lost by the change. Ask why the round was not
--   voided, and who allowed the correction.

SELECT
    late.table_id, late.round_id, late.round_key, late.source_file, late.source_line,
    arg_min(late.hand_id, late.hand_key) AS hand_id,
    format(
        'In this round {}, after the result was posted at {}: the cards are due to be settled by then ({{rule}}). Of its real wagers, {}.',
        string_agg(late.told, ', ' ORDER BY late.reading_no), clock(any_value(late.posted_at), any_value(late.posted_at_digits)),
        coalesce(any_value(due.told), 'nothing is due by either reading')
    ) AS message
FROM (SELECT DISTINCT ON (round_key, reading_no) * FROM card_corrections WHERE stands ORDER BY round_key, reading_no, was_seq) AS late
LEFT JOIN reread_money AS due ON due.round_key = late.round_key
WHERE is_after(late.read_at, late.read_at_digits, late.posted_at, late.posted_at_digits)
GROUP BY late.table_id, late.round_id, late.round_key, late.source_file, late.source_line
