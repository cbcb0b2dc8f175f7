-- view: round_tellings
-- title: The tellings of a round that was told more than once, each with the one before it
-- reach: round

-- In the order of revision and recording, what stands now last; those of another hour or day are there where the one that stands is. rivals: the two are the contents of one delivery that contradict each other.
-- is_ranked: revision or recorded_at says which of the two counts; else the order of arrival did.
WITH told AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY studio_id, round_id ORDER BY is_current, revision NULLS FIRST, recorded_at NULLS FIRST, round_key)
            AS telling_no
    FROM rounds
    WHERE round_id IN (SELECT round_id FROM rounds GROUP BY round_id HAVING count(*) > 1)
    QUALIFY count(*) OVER (PARTITION BY studio_id, round_id) > 1 AND bool_or(is_current) OVER (PARTITION BY studio_id, round_id)
)
SELECT
    told.table_id, told.round_id, told.round_key, told.dealer_id, told.revision, told.telling_no, told.is_current, told.source_file, told.source_line,
    earlier.round_key AS earlier_key,
    earlier.revision AS earlier_revision,
    earlier.status IN ('open', 'interrupted') AS completes,
    coalesce(told.revision <> earlier.revision, false) OR coalesce(told.recorded_at <> earlier.recorded_at, false) AS is_ranked,
    told.conflicting AND earlier.conflicting AS rivals
FROM told
JOIN told AS earlier
    ON earlier.studio_id = told.studio_id AND earlier.round_id = told.round_id AND earlier.telling_no = told.telling_no - 1
