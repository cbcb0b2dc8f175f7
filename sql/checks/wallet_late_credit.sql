-- check: wallet_late_credit
-- title: The wallet credited late
-- severity: medium
-- family: wallet
-- reach: round
-- needs: wallet
-- filing_key: late_credit_grace
-- question: Which credits came later after the result was posted than the filing allows?
-- examines: wallet_lines where last_credit is not null
-- subject: players whom the wallet credited
-- unless: unreached IS NOT NULL — {unreached}
-- suspects: wallet_lines where fault = 'wallet_late_credit'
-- means: A credit came later after the result was posted than the filing allows.
-- matters: The player could not use money that was theirs, and may have been told that it was lost.
-- do: Ask the operator what held it up. Late credits that come all at once show an outage, whose times they give away.

-- What the studio reported stands as expected, what the wallet made of it as paid.
SELECT
    table_id, round_id, round_key, operator_id, player_id, currency, play_mode, filing_no, reported AS expected, moved AS paid,
    source_file, source_line,
    'The last credit came at ' || strftime(last_credit AT TIME ZONE 'UTC', '%Y-%m-%d ') || clock(last_credit, last_credit_digits) || ', '
        || CAST(date_diff('minute', closed_at, last_credit) AS VARCHAR) || ' minutes after the round was closed; '
        || CAST(epoch(grace) // 60 AS BIGINT) || ' are allowed ({filing}: {rule}).' AS message
FROM wallet_lines
WHERE fault = 'wallet_late_credit'
