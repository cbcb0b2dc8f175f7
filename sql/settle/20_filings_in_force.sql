-- terms: under what each operator's players play at each table, in each currency: the filing in force and what it says of the whole game
-- (contract: "Gaming day and filing"). A chunk holds one studio and one gaming day. filing_no is null where no filing governs.
CREATE OR REPLACE TEMP TABLE terms AS
WITH playing AS (
    SELECT table_id, operator_id, currency, any_value(studio_id) AS studio_id, any_value(gaming_day) AS gaming_day
    FROM participants
    GROUP BY table_id, operator_id, currency
),
governed AS (
    SELECT filing_no, studio_id, unnest(tables) AS table_id, operators, effective_from, effective_to FROM filings
),
in_force AS (
    SELECT playing.table_id, playing.operator_id, playing.currency, min(governed.filing_no) AS filing_no
    FROM playing
    LEFT JOIN governed
        ON governed.studio_id = playing.studio_id
        AND governed.table_id = playing.table_id
        AND playing.gaming_day >= governed.effective_from
        AND (governed.effective_to IS NULL OR playing.gaming_day <= governed.effective_to)
        AND (governed.operators IS NULL OR list_contains(governed.operators, playing.operator_id))
    GROUP BY ALL
)
SELECT
    CAST(row_number() OVER (ORDER BY in_force.table_id, in_force.operator_id, in_force.currency) AS INTEGER) AS terms_no,
    in_force.*,
    coalesce(minor_units.unit, 10000) AS minor_unit,
    qualifying.rank_no AS qualifying_rank,
    filings.tie = 'player_wins' AS tie_wins,
    NOT filings.void_returns_folded AS void_keeps_folded
FROM in_force
LEFT JOIN filings USING (filing_no)
LEFT JOIN minor_units ON minor_units.currency = in_force.currency
LEFT JOIN (SELECT DISTINCT left(card, 1) AS face, rank_no FROM card_faces) AS qualifying ON qualifying.face = filings.qualifier;

-- filed_kinds: each kind that a filing offers, which ante and play always are. `role` says how it settles; win_* is the price of a won ante or
-- play.
CREATE OR REPLACE TEMP TABLE filed_kinds AS
SELECT
    CAST(row_number() OVER (ORDER BY offered.filing_no, offered.kind) AS INTEGER) AS kind_no,
    offered.filing_no,
    offered.kind,
    CASE
        WHEN offered.kind IN ('ante', 'play') THEN offered.kind
        WHEN offered.judged_on = 'best_five_of_six' THEN 'six'
        ELSE 'three'
    END AS role,
    offered.forfeited_by_fold AND offered.kind NOT IN ('ante', 'play') AS forfeited_by_fold,
    offered.rounding,
    bonus.rounding AS bonus_rounding,
    offered.stake_returned,
    win.basis AS win_basis,
    CAST(win.num AS HUGEINT) AS win_num,
    CAST(win.den AS HUGEINT) AS win_den
FROM filed_wagers AS offered
LEFT JOIN filed_wagers AS bonus ON bonus.filing_no = offered.filing_no AND bonus.kind = 'ante_bonus'
LEFT JOIN filed_lines AS win ON win.filing_no = offered.filing_no AND win.kind = offered.kind AND win.line = 'win'
WHERE offered.kind <> 'ante_bonus';

-- priced: the line that pays each class of hand for each kind, the most specific filed one; for an ante, of the ante bonus. A line of one
-- name stands for hands of three cards and of six; a kind only ever looks up its own.
CREATE OR REPLACE TEMP TABLE priced AS
SELECT
    filed_kinds.kind_no,
    class_lines.class_no,
    unnest(arg_min(
        struct_pack(
            line := filed_lines.line,
            basis := filed_lines.basis,
            num := CAST(filed_lines.num AS HUGEINT),
            den := CAST(filed_lines.den AS HUGEINT),
            flat := CAST(filed_lines.flat * 1000000 AS HUGEINT),
            flat_currency := filed_lines.currency,
            odds := filed_lines.odds
        ),
        class_lines.choice
    ))
FROM filed_kinds
JOIN filed_lines
    ON filed_lines.filing_no = filed_kinds.filing_no
    AND filed_lines.kind = if(filed_kinds.role = 'ante', 'ante_bonus', filed_kinds.kind)
JOIN class_lines USING (line)
WHERE filed_kinds.role <> 'play'
GROUP BY filed_kinds.kind_no, class_lines.class_no;
