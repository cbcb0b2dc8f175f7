-- view: wallet_lines
-- title: A player's money in a round and currency with the one wallet fault that it has, the first that holds
-- reach: round

WITH suspects AS (
    SELECT round_id, operator_id, player_id, currency, stake_difference, paid_difference
    FROM wallet_sums
    WHERE unreached IS NULL AND NOT is_balanced
),
bookings AS (
    SELECT b.round_id, b.operator_id, b.player_id, b.currency, b.type, b.wager_id, b.amount, s.stake_difference, s.paid_difference
    FROM wallet_booked AS b
    JOIN suspects AS s
        ON s.round_id IS NOT DISTINCT FROM b.round_id AND s.operator_id = b.operator_id AND s.player_id = b.player_id
        AND s.currency = b.currency
    WHERE b.status = 'accepted'
),
-- Equal bookings of which one or more are exactly what was moved too much. Parts of one payment can be equal too, but then nothing is too much.
equal AS (
    SELECT
        round_id, operator_id, player_id, currency, type, amount, count(*) - 1 AS spare,
        CASE type WHEN 'debit' THEN stake_difference WHEN 'cancel' THEN -stake_difference ELSE paid_difference END AS excess
    FROM bookings
    WHERE amount > 0
    GROUP BY round_id, operator_id, player_id, currency, type, amount, wager_id, stake_difference, paid_difference
    HAVING count(*) > 1
),
doubled AS (
    SELECT round_id, operator_id, player_id, currency, max(amount) AS doubled_amount, arg_max(type, (amount, type)) AS doubled_type
    FROM equal
    WHERE list_contains(list_transform(range(1, spare + 1), lambda k: CAST(k * amount AS DECIMAL(38, 6))), excess)
    GROUP BY ALL
),
named AS (
    SELECT
        round_id, operator_id, player_id, currency,
        list(wager_id) FILTER (type = 'debit') AS debited_wagers,
        list(wager_id) FILTER (type = 'credit') AS credited_wagers,
        coalesce(bool_and(wager_id IS NOT NULL) FILTER (type = 'debit'), false) AS debits_named,
        coalesce(bool_and(wager_id IS NOT NULL) FILTER (type = 'credit' AND amount > 0), false) AS credits_named
    FROM bookings
    GROUP BY ALL
),
unnamed AS (
    SELECT
        w.round_id, s.operator_id, s.player_id, s.currency, any_value(n.debits_named) AS debits_named, any_value(n.credits_named) AS credits_named,
        list(w.stake) FILTER (w.funding = 'cash' AND w.status = 'accepted' AND w.stake > 0) AS stakes,
        sum(w.stake) FILTER (w.funding = 'cash' AND w.status = 'accepted' AND NOT list_contains(n.debited_wagers, w.wager_id)) AS undebited,
        sum(coalesce(w.paid, 0) + coalesce(w.bonus_paid, 0)) FILTER (NOT list_contains(n.credited_wagers, w.wager_id)) AS uncredited
    FROM settled_wagers AS w
    JOIN suspects AS s
        ON s.round_id = w.round_id AND s.operator_id = coalesce(w.operator_id, '') AND s.player_id = coalesce(w.player_id, '')
        AND s.currency = coalesce(w.currency, '')
    LEFT JOIN named AS n
        ON n.round_id = s.round_id AND n.operator_id = s.operator_id AND n.player_id = s.player_id AND n.currency = s.currency
    GROUP BY ALL
),
judged AS (
    SELECT
        s.*, d.doubled_amount, d.doubled_type,
        CASE
            WHEN s.unreached IS NOT NULL THEN NULL
            WHEN s.id_reused OR d.doubled_amount IS NOT NULL THEN 'wallet_duplicate'
            WHEN s.in_log AND s.credited > 0 AND s.difference > 0
                AND (list_contains(s.cancels, s.difference) OR s.difference = list_sum(s.cancels) OR s.difference = s.spare_cancels)
                AND len(s.cancels) > 0
                THEN 'wallet_credit_and_cancel'
            WHEN s.player_known AND ((NOT s.in_log AND s.is_booking) OR (s.in_log AND s.booked_otherwise AND NOT s.is_balanced))
                THEN 'wallet_currency_mismatch'
            WHEN NOT s.player_known AND s.is_booking THEN 'wallet_orphan'
            WHEN NOT s.in_log OR (s.is_balanced AND s.last_credit IS NULL) THEN NULL
            WHEN s.is_balanced
                THEN CASE
                    WHEN is_after(s.last_credit, s.last_credit_digits, s.closed_at + s.grace, s.closed_digits) THEN 'wallet_late_credit'
                END
            WHEN s.stake_difference < 0 AND (
                (s.debited = 0 AND s.staked > 0)
                OR (u.debits_named AND u.undebited > 0 AND -s.stake_difference >= u.undebited)
                OR (s.lone_cancels > 0 AND -s.stake_difference = s.lone_cancels)
                OR (NOT coalesce(u.debits_named, false) AND s.spare_cancels = 0 AND list_contains(u.stakes, -s.stake_difference))
            ) THEN 'wallet_missing_debit'
            WHEN s.paid_difference < 0 AND s.difference < 0 AND (
                s.credited + s.adjusted = 0
                OR (u.credits_named AND u.uncredited > 0 AND -s.paid_difference >= u.uncredited)
            ) THEN 'wallet_missing_credit'
            ELSE 'wallet_amount_mismatch'
        END AS fault
    FROM wallet_sums AS s
    LEFT JOIN doubled AS d
        ON d.round_id IS NOT DISTINCT FROM s.round_id AND d.operator_id = s.operator_id AND d.player_id = s.player_id
        AND d.currency = s.currency
    LEFT JOIN unnamed AS u
        ON u.round_id = s.round_id AND u.operator_id = s.operator_id AND u.player_id = s.player_id AND u.currency = s.currency
)
SELECT
    *,
    unreached IS NULL AS examined,
    fault = 'wallet_missing_credit' AND NOT coalesce(newest > closed_at + grace, true) AS is_awaited,
    reported + difference AS moved,
    CASE WHEN fault IS NOT NULL THEN CASE WHEN in_log THEN 'the studio reported ' || money(staked, currency) || ' staked and ' || money(reported, currency) || ' handed back, the wallet'
         ELSE 'the wallet' END
        || ' debited ' || money(debited, currency) || CASE WHEN cancelled > 0 THEN ', cancelled ' || money(cancelled, currency) ELSE '' END
        || CASE WHEN adjusted > 0 THEN ', adjusted ' || money(adjusted, currency) ELSE '' END
        || ' and credited ' || money(credited, currency) END AS books
FROM judged
