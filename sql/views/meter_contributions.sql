-- view: meter_contributions
-- title: What the wagers of a round feed its meters, beside what the meters say was added
-- reach: round

-- One row a movement in a current round of a meter of which a filing in force at the table says what share of each stake feeds it. The
-- share may be rounded to the currency's coin wager by wager, either way, so that what is due has a least and a most. unclear counts the
-- wagers of the meter's kind that the filing does not speak of: free, cancelled, voided or not settled ones, those in another currency,
-- and test players'.
WITH fed AS (
    SELECT
        round_key,
        meter_no,
        filing_no,
        contribution_num IS NULL AS is_unfiled,
        settlement <> 'settled' OR funding <> 'cash' OR play_mode <> 'real' OR metered.currency <> meter_currency AS is_unclear,
        amount_to_micro(stake) * contribution_num AS over,
        contribution_den * coalesce(minor_units.unit, 10000) AS under,
        coalesce(minor_units.unit, 10000) AS unit
    FROM metered_wagers AS metered
    LEFT JOIN minor_units ON minor_units.currency = metered.currency
    WHERE status <> 'rejected'
),
summed AS (
    SELECT
        round_key,
        meter_no,
        min(filing_no) AS filing_no,
        bool_or(is_unfiled) AS is_unfiled,
        count(*) FILTER (is_unclear) AS unclear,
        sum(over // under * unit) AS least,
        sum((over + under - 1) // under * unit) AS most
    FROM fed
    GROUP BY round_key, meter_no
)
SELECT
    moved.table_id, moved.round_id, moved.round_key, moved.meter_no, moved.meter_id, moved.seq, moved.currency, moved.contribution,
    moved.source_file, moved.source_line,
    summed.filing_no,
    coalesce(summed.unclear, 0) AS unclear,
    coalesce(summed.is_unfiled, false) AS is_unfiled,
    micro_to_amount(coalesce(summed.least, 0)) AS least,
    micro_to_amount(coalesce(summed.most, 0)) AS most
FROM meters AS moved
LEFT JOIN summed ON summed.round_key = moved.round_key AND summed.meter_no = moved.meter_no
WHERE moved.is_current
    AND (moved.table_id, moved.meter_id) IN (
        SELECT (force.table_id, filed.meter_id)
        FROM filed_meters AS filed
        JOIN filings_in_force AS force ON force.filing_no = filed.filing_no
        WHERE filed.contribution_num IS NOT NULL
    )
