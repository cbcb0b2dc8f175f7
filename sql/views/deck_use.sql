-- view: deck_use
-- title: Which deck each round of a table was dealt from, beside the round before it
-- reach: day
-- keep: nothing

-- Current rounds that name a deck, led by those of the day before that the neighbouring partition keeps (of_day false). decks and
-- alternates are what is filed for the table; where several operators filed, the most decks, and alternation where any of them files it.
WITH dealt AS (
    SELECT *, true AS of_day, round_key IN (SELECT round_key FROM dealt_rounds) AS has_cards FROM current_rounds
    UNION ALL BY NAME
    SELECT *, false AS of_day, status = 'settled' OR (status = 'voided' AND bets_closed_at IS NOT NULL) AS has_cards FROM edge_rounds
),
filed AS (
    SELECT cited.table_id, max(filings.decks) AS decks, bool_or(filings.deck_alternation) AS alternates, min(filings.filing_no) AS filing_no
    FROM cited_filings AS cited
    JOIN filings ON filings.filing_no = cited.filing_no
    GROUP BY cited.table_id
)
SELECT
    dealt.table_id, dealt.round_id, dealt.dealer_id, dealt.source_file, dealt.source_line, dealt.of_day, dealt.sequence, dealt.dated_at,
    dealt.deck_id, dealt.has_cards, dealt.shuffler_in_use,
    filed.decks,
    filed.alternates,
    filed.filing_no,
    lag(
        {
            'round_id': round_id, 'sequence': sequence, 'dated_at': dated_at, 'deck_id': deck_id, 'shuffler_in_use': shuffler_in_use
        }
    ) OVER (PARTITION BY dealt.table_id, dealt.has_cards ORDER BY dealt.of_day, dealt.sequence, dealt.dated_at, dealt.round_id) AS before
FROM dealt
LEFT JOIN filed ON filed.table_id = dealt.table_id
WHERE dealt.deck_id IS NOT NULL
