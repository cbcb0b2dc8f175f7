"""Which tables the lake holds, where each belongs, and how their types read in DuckDB."""

from __future__ import annotations

from typing import Final, cast

import polars as pl

from pipeline.core.filed import FILED_CHANCES, FILED_EDGES, FILED_TABLES
from pipeline.core.results import COVERAGE, FINDINGS, INCIDENTS, SETTLEMENTS
from pipeline.core.schema import CHUNK_TABLES, DUE, MONEY, QUARANTINE, SOURCE_FILES, TIME, Column, PolarsType, Table
from pipeline.core.wallet import RECONCILIATION, WALLET

_RUN = Column("run_id", pl.String, "the run that published the row")

DAILY_TOTALS: Final = Table(
    "daily_totals",
    "the real-money wagers of a table, operator, kind, currency, funding and settlement on a gaming day; test play stands in no total",
    (
        Column("studio_id", pl.String, "the studio"),
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("table_id", pl.String, "the table"),
        Column("operator_id", pl.String, "the operator whose players staked"),
        Column("kind", pl.String, "the wager kind"),
        Column("currency", pl.String, "ISO 4217 code; amounts of two currencies are never added"),
        Column("funding", pl.String, "cash or free: a free wager's stake is no money that came in"),
        Column("settlement", pl.String, "settled, voided, unsettleable, pending or not_accepted: each on a line of its own"),
        Column("wagers", pl.Int64, "how many wagers"),
        Column("handle", DUE, "what was staked"),
        Column("returned", DUE, "what was handed back, bonus included"),
        Column("hold", DUE, "what stayed: cash staked less what was handed back"),
        Column("due", DUE, "what should have been handed back, bonus included; null where nothing can be said to be due"),
        Column("delta", DUE, "handed back less due; null where due is"),
        Column("filing_fingerprint", pl.String, "SHA-256 of what the filing in force means; null where none is"),
        Column(
            "house_edge",
            pl.String,
            "what the filing keeps of one unit staked on average, as a fraction; see filed_edges",
        ),
        Column(
            "theoretical_hold",
            DUE,
            "what would have stayed of settled cash stakes on average, exactly; of ante (with its bonus) and play at optimal play, "
            "flat awards taken off, meter awards not; null for others",
        ),
    ),
)

NIGHT_COUNTS: Final = Table(
    "night_counts",
    "how many rounds of a status, or findings of a check and severity, a gaming day has: what later nights are held against",
    (
        Column("studio_id", pl.String, "the studio"),
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("what", pl.String, "rounds or findings"),
        Column("name", pl.String, "the status of the rounds, or the check"),
        Column("severity", pl.String, "of the findings; null for rounds"),
        Column("number", pl.Int64, "how many; rounds as they stand now, each once"),
    ),
)

RUNS: Final = Table(
    "runs",
    "a publish: which run, on what, when and where",
    (
        Column("number", pl.Int64, "number of the publish in this lake, from 1"),
        _RUN,
        Column("is_current", pl.Boolean, "something of it is current"),
        Column("started_at", TIME, "when the run started"),
        Column("finished_at", TIME, "when it was published"),
        Column("host", pl.String, "the machine"),
        Column("command", pl.String, "the command that ran it"),
        Column("code_version", pl.String, "version of this program"),
        Column("python_version", pl.String, "version of Python"),
        Column("duckdb_version", pl.String, "version of DuckDB"),
        Column("polars_version", pl.String, "version of Polars"),
        Column("filings_fingerprint", pl.String, "SHA-256 of what the filings mean"),
        Column("checks_fingerprint", pl.String, "SHA-256 of the checks"),
        Column("partitions", pl.Int64, "studios and gaming days that it published"),
        Column("untrusted", pl.List(pl.String), "why its results are not to be trusted; empty where they are"),
        Column("manifest_sha256", pl.String, "digest of its manifest: the head of the chain at that moment"),
    ),
)

LAKE: Final = Table(
    "lake",
    "what this file shows",
    (
        Column("root", pl.String, "the folder that the views read"),
        Column("number", pl.Int64, "number of the latest publish"),
        Column("run_id", pl.String, "its run"),
        Column("manifest_sha256", pl.String, "head of the chain of manifests: the same wherever the same was published in the same order"),
        Column("run_sha256", pl.String, "head of the chain of run records: over everything, clock and host too; keep it elsewhere"),
    ),
)

REMEDIES: Final = Table(
    "remedies",
    "a wallet adjustment that someone recorded as paying a finding or an incident back",
    (
        Column("recorded_at", TIME, "when it was recorded"),
        Column("recorded_by", pl.String, "who recorded it"),
        Column("finding_id", pl.String, "the finding that it pays back; of an incident, the player's first finding in it"),
        Column("operator_id", pl.String, "the operator whose wallet paid"),
        Column("player_id", pl.String, "the player who was paid"),
        Column("txn_id", pl.String, "the adjustment's id in the wallet's ledger"),
        Column("amount", MONEY, "what was paid, in major units of the currency"),
        Column("currency", pl.String, "ISO 4217 code"),
        Column("note", pl.String, "why, where that was said"),
        Column("incident_id", pl.String, "the incident that it was recorded for; null where it was for a finding"),
    ),
)

FOLLOW_UPS: Final = Table(
    "follow_ups",
    "something that someone did about a finding; the views finding_history and finding_status tell what came of it",
    (
        Column("entry", pl.Int64, "number of the entry, from 1"),
        Column("recorded_at", TIME, "when it was recorded"),
        Column("recorded_by", pl.String, "who recorded it"),
        Column("finding_id", pl.String, "the finding"),
        Column("action", pl.String, "note, assign, accept, dispute or close"),
        Column("note", pl.String, "what was said"),
        Column("assignee", pl.String, "to whom it was assigned"),
        Column("check_id", pl.String, "the finding's check"),
        Column("studio_id", pl.String, "the finding's studio"),
        Column("gaming_day", pl.Date, "the finding's gaming day"),
        Column("number", pl.Int64, "number of the publish that was the latest then"),
    ),
)

REOPENINGS: Final = Table(
    "reopenings",
    "a finding that had been closed, was gone or said something else, and stands again",
    (
        Column("finding_id", pl.String, "the finding"),
        Column("number", pl.Int64, "number of the publish that brought it back"),
        Column("reopened_at", TIME, "when that was finished"),
        _RUN,
        Column("why", pl.String, "came back, or: says something else"),
    ),
)


def _published(table: Table) -> Table:
    """A delivery's table with the run that published it."""
    return Table(table.name, table.row, (_RUN, *table.columns))


def _by_fingerprint(table: Table) -> Table:
    """A filed table that names its filing by fingerprint, since ``filing_no`` counts within one run only."""
    named = Column("filing_fingerprint", pl.String, "SHA-256 of what the filing means, over its canonical form")
    kept = tuple(column for column in table.columns if column.name not in {"filing_no", "fingerprint"})
    return Table(table.name, table.row, (named, *kept))


PARTITION_TABLES: Final = {
    table.name: table
    for table in (*CHUNK_TABLES, SETTLEMENTS, FINDINGS, INCIDENTS, COVERAGE, DAILY_TOTALS, NIGHT_COUNTS, WALLET, RECONCILIATION)
}
"""What a partition (studio and gaming day) holds."""

DELIVERY_TABLES: Final = {table.name: table for table in (_published(QUARANTINE), _published(SOURCE_FILES))}
"""What belongs to a delivery and to no day."""

FILING_TABLES: Final = {table.name: table for table in map(_by_fingerprint, (*FILED_TABLES, FILED_EDGES, FILED_CHANCES))}
"""What was filed, each filing once however many runs rest on it."""

STORED_TABLES: Final = {**PARTITION_TABLES, **DELIVERY_TABLES, **FILING_TABLES}
"""Every table that has files and is shown."""

ROUND_DAYS: Final = Table(
    "round_days",
    "a round of a gaming day that was published",
    (
        Column("number", pl.Int64, "number of the publish"),
        Column("studio_id", pl.String, "studio"),
        Column("round_hash", pl.Int64, "hash of the studio and the round"),
        Column("gaming_day", pl.Date, "gaming day on which a telling of it stands"),
    ),
)
"""An index of ours (``pipeline.lake.round_days``), which no view shows."""

WRITTEN_TABLES: Final = {**STORED_TABLES, ROUND_DAYS.name: ROUND_DAYS}
"""Every table that has files."""

_DUCKDB: Final[dict[type[pl.DataType], str]] = {
    pl.String: "VARCHAR",
    pl.Boolean: "BOOLEAN",
    pl.Int8: "TINYINT",
    pl.Int16: "SMALLINT",
    pl.Int32: "INTEGER",
    pl.Int64: "BIGINT",
    pl.Date: "DATE",
    pl.Binary: "BLOB",
}


def duckdb_type(dtype: PolarsType) -> str:
    """The DuckDB spelling of a Polars type that the lake uses.

    Raises:
        TypeError: the lake has no place for the type.
    """
    if isinstance(dtype, pl.Decimal):
        return f"DECIMAL({dtype.precision},{dtype.scale})"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone == "UTC":
        return "TIMESTAMP WITH TIME ZONE"
    if isinstance(dtype, pl.List):
        return f"{duckdb_type(cast('PolarsType', dtype.inner))}[]"
    if isinstance(dtype, pl.Struct):
        return "STRUCT(" + ", ".join(f'"{field.name}" {duckdb_type(cast("PolarsType", field.dtype))}' for field in dtype.fields) + ")"
    base = dtype if isinstance(dtype, type) else type(dtype)
    if base in _DUCKDB:
        return _DUCKDB[base]
    raise TypeError(f"the lake holds no {dtype}")
