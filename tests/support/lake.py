"""Rows for a lake, and a publish in one call."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.filed import FILED_LIMITS, FILED_LINES, FILED_METERS, FILED_WAGERS, FILINGS, Filed
from pipeline.core.schema import QUARANTINE, SOURCE_FILES
from pipeline.lake import RunFacts, writing
from pipeline.lake.tables import PARTITION_TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pipeline.core.schema import Table
    from pipeline.lake import PartitionFacts, Publication

DAY = date(2026, 11, 3)
NIGHT = datetime(2026, 11, 3, 20, tzinfo=UTC)
STUDIO = "studio-7"


def made(table: Table, count: int, given: Mapping[str, object] | None = None) -> pl.DataFrame:
    """``count`` rows of a table: columns as given (a value, or one a row), times and numbers that run on, and else nulls."""
    columns: dict[str, object] = {}
    for column in table.columns:
        value = (given or {}).get(column.name)
        if isinstance(value, list):
            columns[column.name] = value
        elif value is not None:
            columns[column.name] = [value] * count
        elif column.name in {"wager_key", "round_key", "source_line"}:
            columns[column.name] = list(range(count))
        elif column.name in {"wager_id", "round_id", "finding_id"}:
            columns[column.name] = [f"{column.name}-{i}" for i in range(count)]
        elif column.name == "placed_at":
            columns[column.name] = [NIGHT + timedelta(seconds=i) for i in range(count)]
        else:
            columns[column.name] = [None] * count
    return pl.DataFrame(columns, schema=table.schema, strict=False)


def settlements(count: int, studio_id: str = STUDIO, gaming_day: date = DAY, **given: object) -> pl.DataFrame:
    """Cash antes of 10.00 USD, settled, paid 20.00 as they should be."""
    told: dict[str, object] = {
        "studio_id": studio_id,
        "gaming_day": gaming_day,
        "table_id": "TCP-01",
        "operator_id": "op-1",
        "player_id": "p1",
        "kind": "ante",
        "currency": "USD",
        "stake": Decimal(10),
        "outcome": "win",
        "expected": Decimal(20),
        "expected_bonus": Decimal(0),
        "paid": Decimal(20),
        "bonus_paid": Decimal(0),
        "delta": Decimal(0),
        "settlement": "settled",
        "play_mode": "real",
        "status": "accepted",
        "funding": "cash",
        "source_file": "rounds.ndjson",
        **given,
    }
    return made(PARTITION_TABLES["settlements"], count, told)


def findings(count: int, run_id: str, studio_id: str = STUDIO, gaming_day: date = DAY, **given: object) -> pl.DataFrame:
    """Payout mismatches of 5.00 USD too much."""
    told: dict[str, object] = {
        "run_id": run_id,
        "studio_id": studio_id,
        "gaming_day": gaming_day,
        "table_id": "TCP-01",
        "check_id": "payout_mismatch",
        "severity": "critical",
        "operator_id": "op-1",
        "player_id": "p1",
        "currency": "USD",
        "expected": Decimal(20),
        "paid": Decimal(25),
        "delta": Decimal(5),
        "message": "handed back 25.00 USD; 20.00 was due",
        "source_file": "rounds.ndjson",
        **given,
    }
    return made(PARTITION_TABLES["findings"], count, told)


def source_files(name: str, sha256: str, records: int = 3) -> pl.DataFrame:
    given = {"source_file": name, "sha256": sha256, "bytes": 100, "lines": records, "blank": 0, "records": records}
    counts = {"accepted": records, "repeats": 0, "quarantined": 0, "other_day": 0}
    return made(SOURCE_FILES, 1, given | counts)


def filed(fingerprint: str = "f" * 64) -> Filed:
    named = made(
        FILINGS,
        1,
        {"filing_no": 0, "filing_id": "keystone-tcp-2026", "fingerprint": fingerprint, "studio_id": STUDIO, "source_file": "a.toml"},
    )
    wagers = made(FILED_WAGERS, 1, {"filing_no": 0, "kind": "ante"})
    lines = made(FILED_LINES, 1, {"filing_no": 0, "kind": "ante", "line": "win", "odds": "1 to 1"})
    return Filed(named, wagers, lines, FILED_LIMITS.empty(), FILED_METERS.empty())


def facts(run_id: str = "a" * 32, **changes: object) -> RunFacts:
    said: dict[str, object] = {
        "run_id": run_id,
        "filings_fingerprint": "f" * 64,
        "checks_fingerprint": "c" * 64,
        "code_version": "0.1.0",
        "command": "resettle audit rounds.ndjson --filings filings --lake lake",
        "started_at": NIGHT,
        **changes,
    }
    return RunFacts(**said)  # type: ignore[arg-type]


def fill(
    publication: Publication,
    *,
    studio_id: str = STUDIO,
    gaming_day: date = DAY,
    rows: int = 3,
    source: str = "d" * 64,
    source_name: str = "rounds.ndjson",
) -> list[PartitionFacts]:
    """Writes one partition and a delivery."""
    with publication.partition(studio_id, gaming_day) as writer:
        writer.append(
            "rounds",
            made(
                PARTITION_TABLES["rounds"],
                rows,
                {"studio_id": studio_id, "gaming_day": gaming_day, "is_current": True, "status": "settled", "source_file": source_name},
            ),
        )
        writer.append("settlements", settlements(rows, studio_id, gaming_day))
        writer.append("findings", PARTITION_TABLES["findings"].empty())
    quarantined = {"source_file": source_name, "source_line": 9, "byte_offset": 81, "reason": "no JSON", "raw": b"{\xff"}
    publication.deliver("quarantine", made(QUARANTINE, 1, quarantined))
    publication.deliver("source_files", source_files(source_name, source))
    publication.deliver_filings(filed())
    return [writer.result]


def publish(lake: Path, run_id: str = "a" * 32, on_step: Callable[[str], None] | None = None, **what: object) -> None:
    with writing(lake) as opened:
        publication = opened.begin(facts(run_id), on_step)
        if not publication.published:
            publication.publish(fill(publication, **what))  # type: ignore[arg-type]
        opened.refresh()


def bytes_under(folder: Path, *but: str) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in but
    }


def parquet_bytes(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in bytes_under(folder).items() if name.endswith(".parquet")}


def cuts(frame: pl.DataFrame, sizes: Sequence[int]) -> list[pl.DataFrame]:
    pieces, start = [], 0
    for size in sizes:
        pieces.append(frame.slice(start, size))
        start += size
    return [*pieces, frame.slice(start)]
