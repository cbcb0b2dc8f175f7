-- check: play_not_equal_ante
-- title: Play wager differs from the ante
-- severity: high
-- family: wager rules
-- reach: round
-- filing_key: play
-- citation: 58 Pa. Code § 649a.11
-- question: Which accepted play wagers are not as large as their ante?
-- examines: round_sorts by wagers where kind = 'play' and status = 'accepted'
-- subject: accepted play wagers
-- unless: settlement_reason = 'conflicting_round' — its round is told in two ways
-- suspects: seats where has_play and (may_repeat or play_over_ante <> 0)
-- means: An accepted play wager is not as large as the ante that it stands beside.
-- matters: The play must equal the ante. A larger play lets a player raise on a good hand, a smaller one lets them save on a weak one: both
--   change the odds of the game.
-- do: Find out how the table came to accept the amount. Each wager is settled on its own stake meanwhile, so that no money is hidden by it.

-- Where stakes may be added, all plays together equal all antes; elsewhere a play equals one ante, and a second one is a duplicate_wager.
WITH unlike AS (
    SELECT s.*, a.ante_staked, a.play_staked, f.stakes_may_be_added
    FROM settlements AS s
    JOIN participant_stakes AS a ON a.participant_key = s.participant_key
    LEFT JOIN filings AS f ON f.filing_no = s.filing_no
    WHERE s.kind = 'play' AND s.status = 'accepted' AND s.settlement_reason IS DISTINCT FROM 'conflicting_round' AND a.ante_key IS NOT NULL
        AND CASE
            WHEN f.stakes_may_be_added THEN a.play_staked <> a.ante_staked AND s.wager_key = a.last_play_key
            ELSE s.stake <> a.ante_staked
        END
),
single_antes AS (
    SELECT participant_key, stake FROM settlements WHERE kind = 'ante' AND (status = 'accepted' OR settlement = 'voided')
)
SELECT
    s.table_id, s.round_id, s.round_key, s.wager_id, s.operator_id, s.player_id, s.currency, s.kind, s.play_mode, s.filing_no,
    s.source_file, s.source_line,
    'Play of ' || money(CASE WHEN s.stakes_may_be_added THEN s.play_staked ELSE s.stake END, s.currency) || ' beside an ante of '
        || money(s.ante_staked, s.currency) || '; a play wager equals the ante ({filing}: {rule}): ' || money(s.ante_staked, s.currency)
        || ' was due as its stake.' AS message
FROM unlike AS s
WHERE s.stakes_may_be_added
    OR NOT EXISTS (FROM single_antes AS a WHERE a.participant_key = s.participant_key AND a.stake = s.stake)
