-- view: timeout_harm
-- title: Players who ran out of time, or of a connection, and were folded with a pair or better, with what that cost them
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column round_id: the round
-- column operator_id: the operator whose player it is
-- column player_id: the player
-- column hand_id: the hand
-- column decided_by: timeout or disconnect
-- column decided_at: when
-- column on_timeout: what the filing in force gives to a player who runs out of time
-- column hand_category: what the hand makes
-- column cards: the cards as posted
-- column currency: ISO 4217 code; amounts of two currencies are never added
-- column ante: the ante that was lost with the fold
-- column side_stakes: side wagers that the fold forfeited
-- column bonus_missed: the ante bonus that a play would have won
-- column side_wins_missed: what the forfeited side wagers on the three cards would have handed back, at odds; flat and meter awards apart
-- column source_file: name of the file that it was read from
-- column source_line: line in that file
WITH folded AS (
    SELECT
        ante.studio_id, ante.gaming_day, ante.table_id, ante.round_id, ante.participant_key, ante.hand_key, ante.operator_id, ante.player_id,
        who.hand_id, who.decided_by, who.decided_at, ante.filing_fingerprint, ante.hand_category, ante.currency, ante.source_file,
        ante.source_line,
        CASE ante.hand_category
            WHEN 'straight_flush' THEN ['mini_royal_spades', 'mini_royal', 'straight_flush']
            ELSE [ante.hand_category]
        END AS lines,
        hand.cards,
        sum(ante.stake) AS ante
    FROM settlements AS ante
    JOIN participants AS who
        ON who.studio_id = ante.studio_id AND who.gaming_day = ante.gaming_day AND who.participant_key = ante.participant_key
        AND who.is_current AND who.decided_by IN ('timeout', 'disconnect')
    LEFT JOIN hands AS hand ON hand.studio_id = ante.studio_id AND hand.gaming_day = ante.gaming_day AND hand.hand_key = ante.hand_key
    WHERE
        ante.kind = 'ante' AND ante.outcome = 'forfeit' AND ante.settlement = 'settled' AND ante.play_mode = 'real'
        AND ante.hand_category IN ('pair', 'flush', 'straight', 'three_of_a_kind', 'straight_flush')
    GROUP BY ALL
),
-- What each stake would have won; a mini royal is one only where the cards were posted and show it.
stakes AS (
    SELECT
        wager.studio_id, wager.gaming_day, wager.participant_key, wager.kind, wager.wager_key, wager.stake, wager.funding,
        arg_min(line.odds, list_position(folded.lines, line.line)) AS odds
    FROM folded
    JOIN settlements AS wager
        ON wager.studio_id = folded.studio_id AND wager.gaming_day = folded.gaming_day AND wager.participant_key = folded.participant_key
        AND wager.outcome = 'forfeit' AND wager.settlement = 'settled'
    LEFT JOIN filed_wagers AS filed
        ON filed.filing_fingerprint = folded.filing_fingerprint AND filed.judged_on = 'player_three'
        AND filed.kind = CASE wager.kind WHEN 'ante' THEN 'ante_bonus' ELSE wager.kind END
    LEFT JOIN filed_lines AS line
        ON line.filing_fingerprint = filed.filing_fingerprint AND line.kind = filed.kind AND line.basis IN ('to', 'for')
        AND list_contains(folded.lines, line.line)
        AND (NOT starts_with(line.line, 'mini_royal') OR coalesce(card_ranks(folded.cards) = [13, 12, 11], false))
        AND (line.line <> 'mini_royal_spades' OR list_contains(folded.cards, 'As'))
    GROUP BY ALL
),
missed AS (
    SELECT
        studio_id, gaming_day, participant_key,
        sum(stake) FILTER (kind <> 'ante') AS side_stakes,
        sum(settle_wager(stake, 'win', replace(odds, ' for ', ' to '), 'free')) FILTER (kind = 'ante' AND odds IS NOT NULL) AS bonus,
        sum(settle_wager(stake, 'win', odds, funding)) FILTER (kind <> 'ante' AND odds IS NOT NULL) AS side_wins
    FROM stakes
    GROUP BY ALL
)
SELECT
    folded.studio_id,
    folded.gaming_day,
    folded.table_id,
    folded.round_id,
    folded.operator_id,
    folded.player_id,
    folded.hand_id,
    folded.decided_by,
    folded.decided_at,
    filing.on_timeout,
    folded.hand_category,
    folded.cards,
    folded.currency,
    CAST(folded.ante AS DECIMAL(38, 6)) AS ante,
    CAST(coalesce(missed.side_stakes, 0) AS DECIMAL(38, 6)) AS side_stakes,
    CAST(coalesce(missed.bonus, 0) AS DECIMAL(38, 6)) AS bonus_missed,
    CAST(coalesce(missed.side_wins, 0) AS DECIMAL(38, 6)) AS side_wins_missed,
    folded.source_file,
    folded.source_line
FROM folded
LEFT JOIN missed
    ON missed.studio_id = folded.studio_id AND missed.gaming_day = folded.gaming_day AND missed.participant_key = folded.participant_key
LEFT JOIN filings AS filing ON filing.filing_fingerprint = folded.filing_fingerprint
