-- view: meter_contributions
-- title: What the wagers of a round feed its meters, beside what the meters say was added
-- reach: round

-- One row a movement in a current round of a meter whose filing says what share of each stake feeds it. The share may be rounded to the
-- currency's coin wager by wager, either way, so that what is due has a least and a most. unclear counts the wagers of the meter's kind
-- that the filing does not speak of: free, cancelled, voided or not settled ones, those in another currency, and test players'.
WITH fed AS (
    SELECT
        moved.round_key,
        moved.meter_no,
        settled.filing_no,
        filed.contribution_num IS NULL AS is_unfiled,
        settled.settlement <> 'settled' OR settled.funding <> 'cash' OR settled.play_mode <> 'real' OR settled.currency <> moved.currency AS is_unclear,
        amount_to_micro(settled.stake) * filed.contribution_num AS over,
        filed.contribution_den * coalesce(minor_units.unit, 10000) AS under,
        coalesce(minor_units.unit, 10000) AS unit
    FROM meters AS moved
    JOIN settlements AS settled ON settled.round_key = moved.round_key
    LEFT JOIN filed_meters AS filed ON filed.filing_no = settled.filing_no AND filed.meter_id = moved.meter_id
    LEFT JOIN minor_units ON minor_units.currency = settled.currency
    WHERE moved.is_current AND settled.kind = coalesce(filed.share_of, moved.kind) AND settled.status <> 'rejected'
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
WHERE moved.is_current AND moved.meter_id IN (SELECT meter_id FROM filed_meters WHERE contribution_num IS NOT NULL)
