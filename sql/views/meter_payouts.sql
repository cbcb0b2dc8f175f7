-- view: meter_payouts
-- title: What the winners of a round are due from its meters, beside what the meters paid
-- reach: round

-- One row a meter movement in a current round. A wager is due from a meter what its share of it is, and, where the filing takes fixed
-- awards from the meter, those: winnings of an 'x to 1' price, all of an 'x for 1'. Test players win nothing from a meter.
WITH moved AS (
    SELECT * FROM meters
    WHERE is_current
        AND (
            kind IS NOT NULL
            OR (table_id, meter_id) IN (
                SELECT (force.table_id, filed.meter_id)
                FROM filed_meters AS filed
                JOIN filings_in_force AS force ON force.filing_no = filed.filing_no
            )
        )
),
played AS (
    SELECT
        metered.round_key,
        metered.meter_no,
        metered.filing_no,
        metered.settlement,
        metered.outcome,
        lines.basis,
        metered.fixed_awards_from_meter,
        metered.expected
        - CASE WHEN metered.funding = 'cash' AND (lines.basis = 'to' OR (lines.basis <> 'for' AND kinds.stake_returned)) THEN metered.stake ELSE 0 END
            AS award
    FROM metered_wagers AS metered
    LEFT JOIN filed_wagers AS kinds ON kinds.filing_no = metered.filing_no AND kinds.kind = metered.kind
    LEFT JOIN filed_lines AS lines ON lines.filing_no = metered.filing_no AND lines.kind = metered.kind AND lines.line = metered.line
    WHERE metered.play_mode = 'real' AND metered.settlement IN ('settled', 'unsettleable', 'pending')
),
summed AS (
    SELECT
        round_key,
        meter_no,
        min(filing_no) AS filing_no,
        count(*) FILTER (settlement <> 'settled') AS unsettled,
        count(*) FILTER (outcome = 'win' AND basis <> 'meter' AND fixed_awards_from_meter IS NULL) AS unfiled_awards,
        count(*) FILTER (outcome = 'win' AND (basis = 'meter' OR fixed_awards_from_meter)) AS winners,
        sum(award) FILTER (outcome = 'win' AND (basis = 'meter' OR fixed_awards_from_meter)) AS due
    FROM played
    GROUP BY round_key, meter_no
)
SELECT
    moved.table_id, moved.round_id, moved.round_key, moved.meter_no, moved.meter_id, moved.seq, moved.currency, moved.paid,
    moved.source_file, moved.source_line,
    summed.filing_no,
    coalesce(summed.unsettled, 0) AS unsettled,
    coalesce(summed.unfiled_awards, 0) AS unfiled_awards,
    coalesce(summed.winners, 0) AS winners,
    CAST(coalesce(summed.due, 0) AS DECIMAL(38, 6)) AS due
FROM moved
LEFT JOIN summed ON summed.round_key = moved.round_key AND summed.meter_no = moved.meter_no
