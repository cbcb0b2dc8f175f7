-- check: deck_not_alternated
-- title: Two consecutive rounds were dealt from one deck
-- severity: medium
-- family: cards
-- reach: day
-- filing_key: deck_alternation
-- citation: 58 Pa. Code § 649a.3(b)
-- question: Which rounds were dealt from the deck of the round before, where two decks are filed to alternate?
-- examines: deck_use where of_day and has_cards and alternates
-- subject: dealt rounds at tables that alternate two decks
-- unless: sequence is null — the round has no sequence number
-- unless: shuffler_in_use = false — no automated shuffler was in use
-- means: Two consecutive rounds were dealt from the same deck, within an hour, at a table that files two decks in alternation with an
--   automated shuffler.
-- matters: While one deck is dealt the other is shuffled. A deck that is dealt twice running has had no time in the shuffler.
-- do: Look at the recording between the two rounds: was the deck shuffled by hand, had the shuffler failed without being logged, or was it
--   skipped? Correct the deck id if it was merely booked wrong.

SELECT
    table_id, round_id, dealer_id, source_file, source_line, filing_no,
    format(
        'This round was dealt from the deck {}, as round {} before it was: the two decks are due to alternate ({{rule}}).',
        deck_id, before.round_id
    ) AS message
FROM deck_use
WHERE
    of_day
    AND has_cards
    AND alternates
    AND deck_id = before.deck_id
    AND sequence = before.sequence + 1
    AND dated_at < before.dated_at + INTERVAL 1 HOUR
    AND shuffler_in_use IS DISTINCT FROM false
    AND before.shuffler_in_use IS DISTINCT FROM false
