-- check: wager_after_close
-- title: A wager was placed after bets closed
-- severity: critical
-- family: control
-- reach: round
-- citation: 58 Pa. Code § 816a.1
-- question: Which wagers other than play were taken after bets closed, or, where no close is logged, after the first player card was read?
-- examines: timed_sorts by wagers where kind <> 'play' and status <> 'rejected'
-- subject: wagers placed before the deal
-- unless: not has_place_time — the log does not say when the wager was placed
-- unless: bets_closed_at is null and first_player_card_at is null — neither a close nor a player card is timed
-- suspects: timed_sorts where kind <> 'play' and status <> 'rejected' and last_placed_at > coalesce(bets_closed_at, first_player_card_at)
-- means: A wager other than play was placed after bets had closed or, where the log gives no close, after the first player card was read.
-- matters: Whoever can bet after the first card knows more than the others. A bet that others can no longer make is no longer a bet.
-- do: Compare the server's clock with the table's: a constant lag is a fault of the clocks, a single late wager is a case. Look at what the
--   wager was and whether it won.

SELECT
    table_id, round_id, round_key, wager_id, hand_id, operator_id, player_id, currency, filing_no, play_mode, source_file, source_line,
    CASE
        WHEN bets_closed_at IS NOT NULL THEN format(
            'The {} wager of {} was placed at {}, after bets had closed at {}: it was due before the close ({{rule}}).',
            kind_in_words(kind), money(stake, currency), clock(placed_at, placed_at_digits), clock(bets_closed_at, bets_closed_at_digits)
        )
        ELSE format(
            'The {} wager of {} was placed at {}, after the first player card was read at {}: it was due before the deal ({{rule}}).',
            kind_in_words(kind), money(stake, currency), clock(placed_at, placed_at_digits),
            clock(first_player_card_at, first_player_card_at_digits)
        )
    END AS message
FROM wager_times
WHERE kind <> 'play' AND status <> 'rejected'
    AND CASE
        WHEN bets_closed_at IS NOT NULL THEN is_after(placed_at, placed_at_digits, bets_closed_at, bets_closed_at_digits)
        ELSE is_after(placed_at, placed_at_digits, first_player_card_at, first_player_card_at_digits)
    END
