"""The SQL that makes a finding of a check's row: where it stands, which filing it cites, its id and its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pipeline.core.filed import Filed
    from pipeline.reconcile.checks import Check
    from pipeline.reconcile.context import RunContext

RESULT_COLUMNS: Final = {
    "gaming_day": "DATE", "table_id": "VARCHAR", "round_id": "VARCHAR", "round_key": "BIGINT", "wager_id": "VARCHAR",
    "hand_id": "VARCHAR", "dealer_id": "VARCHAR", "operator_id": "VARCHAR", "player_id": "VARCHAR", "currency": "VARCHAR",
    "kind": "VARCHAR", "play_mode": "VARCHAR", "expected": "DECIMAL(38,6)", "paid": "DECIMAL(38,6)", "delta": "DECIMAL(38,6)",
    "severity": "VARCHAR", "detail": "VARCHAR", "message": "VARCHAR", "filing_no": "INTEGER", "filing_key": "VARCHAR",
    "citation": "VARCHAR", "source_file": "VARCHAR", "source_line": "BIGINT",
}  # fmt: skip
"""What a check's SELECT may return. ``severity``, ``filing_key`` and ``citation`` stand in for the header's, ``kind`` fills its
``{kind}``, and ``detail`` tells two findings on one subject apart. In ``message``, ``{filing}`` becomes "filing <id>" and
``{rule}`` the filing's key and the rule of Pennsylvania, as in the citation."""

_SEPARATOR: Final = "chr(31)"
_IN_TURN: Final = (
    "message, expected, paid, fingerprint, key_cited, cf, source_file, source_line, currency, delta, severity, play_mode, "
    "gaming_day, table_id, dealer_id"
)
"""How findings on one subject are counted: by all that may tell them apart, so that each keeps its id in every run."""


def cited_filings(filed: Filed, context: RunContext) -> pl.DataFrame:
    """The filings that govern the studio's day: ``table_id``, ``operator_id`` (null: every operator) and ``filing_no``.

    Round-log/1 § 1: from ``effective_from`` until the end of ``effective_to``, for the tables and operators that it names.
    """
    day = pl.lit(context.gaming_day)
    governing = filed.filings.filter(
        pl.col("studio_id") == context.studio_id,
        pl.col("effective_from") <= day,
        pl.col("effective_to").is_null() | (pl.col("effective_to") >= day),
    )
    return (
        governing.select(pl.col("tables").alias("table_id"), pl.col("operators").alias("operator_id"), "filing_no")
        .explode("table_id", empty_as_null=False, keep_nulls=True)
        .explode("operator_id", empty_as_null=True, keep_nulls=True)
    )


def told_columns(columns: Iterable[str]) -> str:
    """The columns of a SELECT that tells a check's rows as ``RESULT_COLUMNS``, of which it has ``columns``."""
    return ", ".join(f"CAST({name if name in columns else 'NULL'} AS {kind}) AS {name}" for name, kind in RESULT_COLUMNS.items())


def check_columns(check: Check, columns: Collection[str]) -> dict[str, pl.Expr]:
    """What ``completing`` is told of the check beside each of its rows.

    Args:
        check: the check.
        columns: the columns that it returned.
    """
    texts = {"check_id": check.check_id, "severity_filed": check.severity, "key_filed": check.filing_key, "compared": check.citation}
    marks = {
        "is_money": check.family == "money",
        "by_key": "round_key" in columns or "round_id" not in columns,
        "has_filing": "filing_no" in columns,
    }
    return {name: pl.lit(value, dtype=pl.String) for name, value in texts.items()} | {name: pl.lit(is_so) for name, is_so in marks.items()}


def completing(found: pl.DataFrame, context: RunContext) -> str:
    """The query that completes the rows of all checks, registered as ``rows_found``, to findings.

    Args:
        found: those rows, as ``told_columns`` and ``check_columns`` tell them.
        context: the run, studio and gaming day.
    """
    standing = "\n    UNION ALL\n".join(_STANDING[by_key] for by_key in found["by_key"].unique().sort(descending=True))
    filing_no = "filing_no" if found["has_filing"].all() else f"CASE WHEN has_filing THEN filing_no ELSE {_FALLBACK} END"
    studio, day = _text(context.studio_id), f"DATE '{context.gaming_day.isoformat()}'"
    about = f"coalesce(round_id, concat_ws({_SEPARATOR}, gaming_day, table_id, dealer_named))"
    parts = (about, "wager_id", "hand_id", "operator_id", "player_id", "CASE WHEN wager_id IS NULL THEN currency END", "detail")
    digested = ", ".join(("check_id", studio, *(f"coalesce({part}, '')" for part in parts)))
    return f"""
WITH told AS (SELECT DISTINCT * FROM rows_found),
standing AS (
{standing}
),
placed AS (
    SELECT
        check_id, severity_filed, is_money, coalesce(t.gaming_day, {day}) AS gaming_day,
        coalesce(t.table_id, table_told) AS table_id, coalesce(t.round_id, round_told) AS round_id,
        t.wager_id, t.hand_id, t.dealer_id AS dealer_named, coalesce(t.dealer_id, dealer_told) AS dealer_id, t.operator_id, t.player_id,
        t.currency, t.kind, t.play_mode, t.expected, t.paid, t.delta, t.severity, t.detail, t.message,
        coalesce(t.filing_key, key_filed) AS filing_key, coalesce(t.citation, compared) AS compared,
        coalesce(t.source_file, file_told) AS source_file, coalesce(t.source_line, line_told) AS source_line,
        {filing_no} AS filing_no
    FROM standing AS t
),
ruled AS (
    SELECT
        p.*, f.filing_id, f.fingerprint, replace(p.filing_key, '{{kind}}', coalesce(p.kind, '')) AS key_cited,
        CASE WHEN f.jurisdiction = 'US-PA' THEN '; cf. ' || p.compared ELSE '' END AS cf
    FROM placed AS p LEFT JOIN filings AS f USING (filing_no)
),
numbered AS (
    SELECT
        *,
        concat_ws({_SEPARATOR}, {digested}) AS subject,
        row_number() OVER (PARTITION BY subject ORDER BY {_IN_TURN}) AS telling
    FROM ruled
)
SELECT
    left(sha256(subject || CASE WHEN telling > 1 THEN '#' || telling ELSE '' END), 32) AS finding_id, {_text(context.run_id)} AS run_id,
    gaming_day, {studio} AS studio_id, table_id, check_id,
    CASE WHEN play_mode = 'test' THEN 'info' ELSE coalesce(severity, severity_filed) END AS severity,
    round_id, wager_id, hand_id, dealer_id, operator_id, player_id, currency, expected, paid,
    CASE WHEN is_money AND play_mode IS DISTINCT FROM 'test' THEN delta END AS delta,
    replace(replace(message, '{{filing}}', coalesce('filing ' || filing_id, 'no filing')), '{{rule}}',
            coalesce(CASE WHEN filing_id IS NOT NULL THEN key_cited END, check_id) || coalesce(cf, '')) AS message,
    CASE WHEN filing_id IS NULL THEN check_id ELSE concat_ws(', ', 'filing ' || filing_id, key_cited) || coalesce(cf, '') END AS citation,
    fingerprint AS filing_fingerprint, source_file, source_line
FROM numbered
"""


_STANDING: Final = {
    by_key: f"""    SELECT
        t.*, r.table_id AS table_told, r.round_id AS round_told, r.dealer_id AS dealer_told, r.source_file AS file_told,
        r.source_line AS line_told
    FROM (FROM told WHERE by_key = {by_key}) AS t
    LEFT JOIN (SELECT * FROM {rounds} WHERE {key} IN (SELECT {key} FROM told)) AS r ON r.{key} = t.{key}"""
    for by_key, rounds, key in ((True, "rounds", "round_key"), (False, "current_rounds", "round_id"))
}
_FALLBACK: Final = (
    "(SELECT min(g.filing_no) FROM cited_filings AS g WHERE g.table_id = coalesce(t.table_id, table_told)"
    " AND (t.operator_id IS NULL OR g.operator_id IS NULL OR g.operator_id = t.operator_id))"
)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
