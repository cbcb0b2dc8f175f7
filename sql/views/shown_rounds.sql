-- view: shown_rounds
-- title: How many rounds of a chunk showed each operator's players something, and what of it differs from their filing
-- reach: round
-- keep: day

-- A row a table, operator and filing in force. What is shown without an operator is shown to all who took part, unless the same round
-- shows it to one of them otherwise. Prices compare by value, however they are spelt ("40 to 1", "40:1", "40-1").
WITH seats AS (
    SELECT round_key, table_id, operator_id FROM round_operators
    UNION
    SELECT round_key, table_id, operator_id FROM displayed WHERE is_current AND operator_id IS NOT NULL
    UNION
    SELECT dealt.round_key, dealt.table_id, NULL
    FROM current_rounds AS dealt
    ANTI JOIN round_operators AS person ON person.round_key = dealt.round_key
),
governed AS (
    SELECT seats.round_key, seats.operator_id, force.filing_no
    FROM seats
    JOIN filings_in_force AS force
        ON force.table_id = seats.table_id
        AND (force.operator_id IS NULL OR seats.operator_id IS NULL OR force.operator_id = seats.operator_id)
),
shown AS (
    SELECT
        round_key, gaming_day, table_id, operator_id AS shown_to, what, currency, min, max, decks, price,
        CASE WHEN lower(kind) = 'ante' AND line IS NOT NULL AND line <> 'win' THEN 'ante_bonus' ELSE lower(kind) END AS kind,
        replace(lower(trim(line)), ' ', '_') AS line,
        source_file, source_line
    FROM displayed
    WHERE is_current
),
addressed AS (
    SELECT shown.*, governed.operator_id, governed.filing_no
    FROM shown
    JOIN governed
        ON governed.round_key = shown.round_key AND (shown.shown_to IS NULL OR shown.shown_to = governed.operator_id)
    ANTI JOIN (FROM shown WHERE shown_to IS NOT NULL) AS own
        ON shown.shown_to IS NULL AND own.round_key = shown.round_key AND own.shown_to = governed.operator_id AND own.what = shown.what
        AND own.kind IS NOT DISTINCT FROM shown.kind AND own.line IS NOT DISTINCT FROM shown.line
        AND own.currency IS NOT DISTINCT FROM shown.currency
),
faces AS (
    SELECT DISTINCT filing_no, what, kind, line, price, currency, min, max, decks FROM addressed
),
priced AS (
    SELECT
        faces.*,
        filed.odds,
        offered.kind IS NOT NULL AS offered,
        regexp_extract(trim(faces.price), '^(\d{1,9})\s*(to|for|:|-|/)\s*(\d{1,9})$', ['x', 'word', 'y']) AS told,
        -- A bonus holds no stake of which "x for y" could hand anything back.
        CAST(CASE WHEN filed.basis = 'for' AND faces.kind <> 'ante_bonus' THEN filed.num - filed.den ELSE filed.num END AS HUGEINT) AS won,
        filed.den,
        filed.basis,
        filed.flat,
        TRY_CAST(regexp_replace(faces.price, '[^0-9.]', '', 'g') AS DECIMAL(38, 6)) AS bare
    FROM faces
    LEFT JOIN filed_wagers AS offered ON offered.filing_no = faces.filing_no AND offered.kind = faces.kind
    LEFT JOIN filed_lines AS filed ON filed.filing_no = faces.filing_no AND filed.kind = faces.kind AND filed.line = faces.line
    WHERE faces.what = 'odds'
),
odds_off AS (
    SELECT
        filing_no, what, kind, line, price, currency, min, max, decks,
        format(
            '{} {} {}, filed {}', kind_in_words(kind), replace(line, '_', ' '), coalesce(price, 'no price'), coalesce(odds, 'nothing')
        ) AS difference
    FROM priced
    WHERE NOT coalesce(
        CASE
            WHEN basis IN ('to', 'for') THEN
                TRY_CAST(told.y AS HUGEINT) > 0 AND won * TRY_CAST(told.y AS HUGEINT) = den * (
                    TRY_CAST(told.x AS HUGEINT)
                    - CASE WHEN told.word = 'for' AND kind <> 'ante_bonus' THEN TRY_CAST(told.y AS HUGEINT) ELSE 0 END
                )
            WHEN basis = 'flat' THEN bare = flat
            WHEN basis = 'meter' THEN contains(price, '%') AND bare * 1000000 = won
        END,
        false
    )
),
limited AS (
    SELECT
        faces.filing_no, faces.what, faces.kind, faces.line, faces.price, faces.currency, faces.min, faces.max, faces.decks,
        string_agg(money(filed.min, filed.currency) || ' to ' || money(filed.max, filed.currency), ' or ' ORDER BY filed.currency) AS limits,
        bool_or(coalesce(faces.min = filed.min, true) AND coalesce(faces.max = filed.max, true)) FILTER (filed.kind IS NOT NULL) AS as_filed,
        bool_or(offered.kind IS NOT NULL) AS offered
    FROM faces
    LEFT JOIN filed_wagers AS offered ON offered.filing_no = faces.filing_no AND offered.kind = faces.kind
    LEFT JOIN filed_limits AS filed
        ON filed.filing_no = faces.filing_no AND filed.kind = faces.kind
        AND (faces.currency IS NULL OR filed.currency IS NULL OR filed.currency = faces.currency)
    WHERE faces.what = 'limits'
    GROUP BY ALL
),
limits_off AS (
    SELECT
        * EXCLUDE (limits, as_filed, offered),
        format(
            '{} limits {} to {}, filed {}', kind_in_words(kind), money(min, currency), money(max, currency), coalesce(limits, 'nothing')
        ) AS difference
    FROM limited
    -- Limits that are not filed are each operator's own to show.
    WHERE coalesce(NOT as_filed, NOT offered)
),
decks_off AS (
    SELECT faces.*, format('{} decks, filed {}', faces.decks, filed.decks) AS difference
    FROM faces
    JOIN filings AS filed ON filed.filing_no = faces.filing_no
    WHERE faces.what = 'decks' AND faces.decks <> filed.decks
),
off AS (
    FROM odds_off UNION ALL BY NAME FROM limits_off UNION ALL BY NAME FROM decks_off
)
SELECT
    addressed.gaming_day,
    addressed.table_id,
    addressed.operator_id,
    addressed.filing_no,
    CAST(count(DISTINCT addressed.round_key) AS BIGINT) AS rounds,
    CAST(count(DISTINCT addressed.round_key) FILTER (off.difference IS NOT NULL) AS BIGINT) AS rounds_off,
    CAST(coalesce(list_sort(list(DISTINCT off.difference) FILTER (off.difference IS NOT NULL)), []) AS VARCHAR[]) AS differences,
    arg_min(addressed.source_file, addressed.round_key) FILTER (off.difference IS NOT NULL) AS source_file,
    arg_min(addressed.source_line, addressed.round_key) FILTER (off.difference IS NOT NULL) AS source_line,
    min(addressed.round_key) FILTER (off.difference IS NOT NULL) AS first_round_key
FROM addressed
LEFT JOIN off
    ON off.filing_no = addressed.filing_no AND off.what = addressed.what AND off.kind IS NOT DISTINCT FROM addressed.kind
    AND off.line IS NOT DISTINCT FROM addressed.line AND off.price IS NOT DISTINCT FROM addressed.price
    AND off.currency IS NOT DISTINCT FROM addressed.currency AND off.min IS NOT DISTINCT FROM addressed.min
    AND off.max IS NOT DISTINCT FROM addressed.max AND off.decks IS NOT DISTINCT FROM addressed.decks
GROUP BY addressed.gaming_day, addressed.table_id, addressed.operator_id, addressed.filing_no
