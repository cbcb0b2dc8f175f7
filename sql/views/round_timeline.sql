-- view: round_timeline
-- title: Everything that the log dates in a current round, in the order in which it happened
-- column studio_id: the studio
-- column gaming_day: the gaming day
-- column table_id: the table
-- column round_id: the round
-- column happened_at: when it happened
-- column event: opened, wager_placed, bets_closed, card_read, decided, dealer_revealed, verified, posted, paid or voided
-- column hand_id: the hand concerned; 'dealer' for the dealer's
-- column operator_id: the operator whose player is concerned
-- column player_id: the player concerned
-- column what: what happened, in a few words
-- column source_file: name of the file that it was read from
-- column source_line: line in that file
WITH controls AS (
    SELECT
        studio_id, gaming_day, table_id, round_id, source_file, source_line,
        unnest([
            {'happened_at': opened_at, 'event': 'opened', 'what': concat_ws(' ', 'bets opened, dealt by', dealer_id)},
            {'happened_at': bets_closed_at, 'event': 'bets_closed', 'what': 'bets closed'},
            {'happened_at': dealer_revealed_at, 'event': 'dealer_revealed', 'what': 'the dealer''s hand was turned'},
            {'happened_at': verified_at, 'event': 'verified', 'what': concat_ws(' ', 'result verified by', verified_by)},
            {'happened_at': posted_at, 'event': 'posted', 'what': 'result posted'},
            {'happened_at': void_at, 'event': 'voided', 'what': concat_ws(' ', 'voided by', coalesce(void_authorised_by, 'nobody named') || ':', void_reason)}
        ]) AS control
    FROM rounds
    WHERE is_current
),
events AS (
    SELECT
        studio_id, gaming_day, table_id, round_id, control.happened_at AS happened_at, control.event AS event,
        CAST(NULL AS VARCHAR) AS hand_id, CAST(NULL AS VARCHAR) AS operator_id, CAST(NULL AS VARCHAR) AS player_id,
        control.what AS what, source_file, source_line
    FROM controls
    UNION ALL
    SELECT
        studio_id, gaming_day, table_id, round_id, read_at, 'card_read', "to", NULL, NULL,
        concat_ws(' ', card, 'read for card', position, 'by', source, CASE WHEN replaces IS NOT NULL THEN 'in place of reading ' || replaces END),
        source_file, source_line
    FROM card_readings
    WHERE is_current
    UNION ALL
    SELECT
        studio_id, gaming_day, table_id, round_id, decided_at, 'decided', hand_id, operator_id, player_id,
        concat_ws(' ', coalesce(decision, 'no decision'), 'by', decided_by), source_file, source_line
    FROM participants
    WHERE is_current
    UNION ALL
    SELECT
        studio_id, gaming_day, table_id, round_id, placed_at, 'wager_placed', hand_id, operator_id, player_id,
        concat_ws(' ', kind, 'of', money(stake, currency), status), source_file, source_line
    FROM wagers
    WHERE is_current
    UNION ALL
    SELECT
        studio_id, gaming_day, table_id, round_id, paid_at, 'paid', hand_id, operator_id, player_id,
        concat_ws(' ', money(coalesce(paid, 0) + coalesce(bonus_paid, 0), currency), 'handed back on', kind), source_file, source_line
    FROM wagers
    WHERE is_current
)
SELECT *
FROM events
WHERE happened_at IS NOT NULL
ORDER BY studio_id, gaming_day, round_id, happened_at, event, hand_id, operator_id, player_id, what
