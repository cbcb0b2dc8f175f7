-- view: wallet_sums
-- title: A player's money in a round and currency: what the studio reported beside what the wallet moved, all sessions together
-- reach: round

WITH reported AS (
    SELECT
        round_id, coalesce(operator_id, '') AS operator_id, coalesce(player_id, '') AS player_id, coalesce(currency, '') AS currency,
        min(table_id) AS table_id, min(round_key) AS round_key, max(filing_no) AS filing_no, max(placed_at) AS placed_at,
        CASE WHEN bool_and(play_mode = 'test') THEN 'test' ELSE 'real' END AS play_mode,
        CASE
            WHEN bool_or(settlement = 'pending') THEN 'pending'
            WHEN bool_or(settlement = 'unsettleable') THEN 'unsettleable'
            WHEN bool_and(settlement = 'not_accepted') THEN 'not_accepted'
            ELSE 'settled'
        END AS standing,
        sum(stake) FILTER (funding = 'cash' AND status = 'accepted') AS staked,
        sum(stake) FILTER (funding = 'cash' AND status = 'cancelled') AS taken_back,
        sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) AS reported,
        sum(expected + coalesce(expected_bonus, 0)) AS due
    FROM settled_wagers
    GROUP BY ALL
),
booked AS (
    SELECT
        round_id, operator_id, player_id, currency,
        bool_and(round_known) AS round_known, bool_and(before_log) AS before_log, bool_or(id_reused) AS id_reused,
        -sum(moved) FILTER (type = 'debit') AS debited,
        sum(moved) FILTER (type = 'credit') AS credited,
        sum(moved) FILTER (type = 'cancel') AS cancelled,
        sum(moved) FILTER (type = 'adjustment' AND ref_finding IS NULL) AS adjusted,
        sum(moved) FILTER (type = 'adjustment' AND ref_finding IS NOT NULL) AS remedied,
        sum(moved) FILTER (type = 'cancel' AND debit_taken IS NULL) AS lone_cancels,
        list(moved) FILTER (type = 'cancel' AND debit_taken) AS cancels,
        count(*) FILTER (type = 'credit') AS credits,
        max("at") FILTER (type = 'credit' AND moved > 0) AS last_credit,
        arg_max(at_digits, ("at", -at_digits)) FILTER (type = 'credit' AND moved > 0) AS last_credit_digits,
        arg_min(source_file, (source_file, source_line)) AS source_file,
        arg_min(source_line, (source_file, source_line)) AS source_line
    FROM wallet_booked
    WHERE status = 'accepted'
    GROUP BY ALL
),
sums AS (
    SELECT
        coalesce(r.round_id, b.round_id) AS round_id,
        coalesce(r.operator_id, b.operator_id) AS operator_id,
        coalesce(r.player_id, b.player_id) AS player_id,
        coalesce(r.currency, b.currency) AS currency,
        r.round_id IS NOT NULL AS in_log,
        r.table_id, r.round_key, r.filing_no, r.play_mode, r.standing, r.placed_at,
        CASE WHEN r.standing = 'settled' THEN CAST(r.due AS DECIMAL(38, 6)) END AS due,
        CAST(coalesce(r.staked, 0) AS DECIMAL(38, 6)) AS staked,
        CAST(coalesce(r.taken_back, 0) AS DECIMAL(38, 6)) AS taken_back,
        CAST(coalesce(r.reported, 0) AS DECIMAL(38, 6)) AS reported,
        CAST(coalesce(b.debited, 0) AS DECIMAL(38, 6)) AS debited,
        CAST(coalesce(b.credited, 0) AS DECIMAL(38, 6)) AS credited,
        CAST(coalesce(b.cancelled, 0) AS DECIMAL(38, 6)) AS cancelled,
        CAST(coalesce(b.adjusted, 0) AS DECIMAL(38, 6)) AS adjusted,
        CAST(coalesce(b.remedied, 0) AS DECIMAL(38, 6)) AS remedied,
        CAST(coalesce(b.lone_cancels, 0) AS DECIMAL(38, 6)) AS lone_cancels,
        b.cancels, coalesce(b.credits, 0) AS credits, coalesce(b.id_reused, false) AS id_reused, coalesce(b.round_known, true) AS round_known,
        coalesce(b.before_log, false) AS before_log, b.last_credit, b.last_credit_digits, b.source_file, b.source_line
    FROM reported AS r
    FULL JOIN booked AS b
        ON b.round_id = r.round_id AND b.operator_id = r.operator_id AND b.player_id = r.player_id AND b.currency = r.currency
),
differing AS (
    SELECT
        *,
        debited - cancelled - staked AS stake_difference,
        credited + adjusted - reported AS paid_difference,
        (credited + adjusted - reported) - (debited - cancelled - staked) AS difference,
        greatest(cancelled - taken_back, 0) AS spare_cancels,
        debited <> cancelled OR credits > 0 OR adjusted <> 0 AS is_booking
    FROM sums
),
-- Joined, not windowed over: a player's rows in a round are few, and most players have one.
players AS (
    SELECT
        round_id, operator_id, player_id, max(play_mode) AS play_mode, min(table_id) AS table_id, min(round_key) AS round_key,
        max(filing_no) AS filing_no, bool_or(in_log) AS player_known, bool_or(NOT in_log AND is_booking) AS booked_otherwise
    FROM differing
    GROUP BY ALL
    HAVING count(*) > 1
)
SELECT
    d.* REPLACE (
        coalesce(d.play_mode, p.play_mode, 'real') AS play_mode, coalesce(d.table_id, p.table_id, r.table_id) AS table_id,
        coalesce(d.round_key, p.round_key, r.round_key) AS round_key, coalesce(d.filing_no, p.filing_no) AS filing_no
    ),
    d.in_log OR coalesce(p.player_known, false) AS player_known,
    coalesce(p.booked_otherwise, false) AS booked_otherwise,
    -- What a void hands back may come as a cancel instead of a payment, and what the log cancels as a credit: the same money.
    d.difference = 0 AND d.stake_difference BETWEEN -d.spare_cancels AND d.taken_back AS is_balanced,
    coalesce(r.posted_at, r.void_at, r.verified_at, r.dated_at) AS closed_at,
    CASE WHEN r.posted_at IS NOT NULL THEN r.posted_at_digits END AS closed_digits,
    to_seconds(coalesce(f.late_credit_grace_s, 14400)) AS grace,
    c.newest,
    CASE
        WHEN d.in_log AND (
            c.operator_id IS NULL OR c.from_day > r.gaming_day
            OR (d.debited + d.credited + d.cancelled = 0 AND c.newest < coalesce(d.placed_at, r.dated_at))
        ) THEN 'no ledger of ' || d.operator_id || ' reaches it'
        WHEN NOT d.in_log AND d.before_log THEN 'the log does not reach back to it'
    END AS unreached
FROM differing AS d
LEFT JOIN players AS p
    ON p.round_id IS NOT DISTINCT FROM d.round_id AND p.operator_id = d.operator_id AND p.player_id = d.player_id
LEFT JOIN current_rounds AS r ON r.round_id = d.round_id
LEFT JOIN filings AS f ON f.filing_no = coalesce(d.filing_no, p.filing_no)
LEFT JOIN wallet_clocks AS c ON c.operator_id = d.operator_id
