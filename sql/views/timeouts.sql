-- view: timeouts
-- title: The decisions by time-out that count, beside what the filing gives to a player who runs out of time
-- reach: round

-- One row a participant with an ante that stands. Left out: a round that is not settled yet where no play is made so far, and a claimed
-- fold beside an accepted play, which has a check of its own. reaches_threshold: the filed time-out is a play; null where the cards
-- that would say it are not known. Where nothing is filed a time-out folds.
WITH ranks AS (SELECT unnest(split('23456789TJQKA', '')) AS face, unnest(range(2, 15)) AS rank_no),
made AS MATERIALIZED (
    SELECT *
    FROM decisions
    WHERE decided_by = 'timeout'
        AND ante_stands
        AND (play_stands OR round_status = 'settled')
        AND NOT (play_stands AND decision IS NOT DISTINCT FROM 'fold')
),
bets AS MATERIALIZED (
    SELECT wager_key, wager_id, filing_no, hand_category FROM settlements SEMI JOIN made USING (participant_key)
),
timed_out AS MATERIALIZED (
    SELECT
        made.*, decided.wager_id AS decision_wager_id, decided.filing_no, ante.hand_category,
        coalesce(filed.on_timeout, CASE WHEN filed.filing_no IS NOT NULL THEN 'fold' END) AS on_timeout
    FROM made
    JOIN bets AS decided ON decided.wager_key = made.decision_wager_key
    JOIN bets AS ante ON ante.wager_key = made.ante_wager_key
    LEFT JOIN filings AS filed ON filed.filing_no = decided.filing_no
),
asked AS (
    SELECT DISTINCT hand_key, hand_category
    FROM timed_out
    WHERE on_timeout LIKE 'play_if_at_least:%' AND hand_category IS NOT NULL
),
faces AS (
    SELECT hand_key, left(unnest(cards), 1) AS face
    FROM current_hands
    WHERE cards IS NOT NULL AND hand_key IN (SELECT hand_key FROM asked)
    UNION ALL
    SELECT reading.hand_key, left(min(reading.card), 1)
    FROM current_card_readings AS reading
    JOIN current_hands AS hand ON hand.hand_key = reading.hand_key AND hand.cards IS NULL
    WHERE reading.hand_key IN (SELECT hand_key FROM asked)
        AND NOT EXISTS (
            SELECT 1
            FROM current_card_readings AS later
            WHERE later.round_key = reading.round_key AND later.replaces = reading.seq AND later.seq <> reading.seq
        )
    GROUP BY reading.hand_key, reading.position
),
held AS (
    SELECT
        asked.hand_key,
        list_reverse_sort(list(ranks.rank_no)) AS held,
        list_position(['high_card', 'pair', 'flush', 'straight', 'three_of_a_kind', 'straight_flush'], any_value(asked.hand_category)) AS class_no
    FROM asked
    JOIN faces ON faces.hand_key = asked.hand_key
    JOIN ranks ON ranks.face = faces.face
    GROUP BY asked.hand_key
),
thresholds AS (
    SELECT on_timeout, list_reverse_sort(list(ranks.rank_no)) AS held
    FROM (SELECT on_timeout, unnest(split(on_timeout[18:], '')) AS face FROM (SELECT DISTINCT on_timeout FROM timed_out))
    JOIN ranks USING (face)
    WHERE on_timeout LIKE 'play_if_at_least:%'
    GROUP BY on_timeout
),
strengths AS (
    SELECT
        on_timeout,
        hand_key,
        [class_no] || CASE
            WHEN held = [14, 3, 2] AND class_no IN (4, 6) THEN [3, 2, 1]
            WHEN held[2] = held[3] THEN [held[2], held[3], held[1]]
            ELSE held
        END AS strength
    FROM (
        SELECT NULL AS on_timeout, hand_key, held, class_no FROM held
        UNION ALL
        SELECT
            on_timeout,
            NULL,
            held,
            CASE
                WHEN held[1] = held[3] THEN 5
                WHEN (held[1] - held[2] = 1 AND held[2] - held[3] = 1) OR held = [14, 3, 2] THEN 4
                WHEN held[1] = held[2] OR held[2] = held[3] THEN 2
                ELSE 1
            END
        FROM thresholds
    )
)
SELECT
    timed_out.*,
    timed_out.play_stands AS played,
    CASE
        WHEN timed_out.on_timeout = 'fold' THEN false
        WHEN timed_out.on_timeout = 'play' THEN true
        ELSE hand.strength >= threshold.strength
    END AS reaches_threshold
FROM timed_out
LEFT JOIN strengths AS hand ON hand.hand_key = timed_out.hand_key
LEFT JOIN strengths AS threshold ON threshold.on_timeout = timed_out.on_timeout
