"""What stands around a night's rounds when its checks run: the edges of the day before, the quarantine, the newest times."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core.schema import METERS, QUARANTINE, ROUNDS, TIME
from tests.support.checks import Ran, _shared_session, engine_rows, run_checks
from tests.support.chunks import make_chunk
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import duckdb

    from pipeline.core.filed import Filed

Row = dict[str, Any]


def around(
    *, edge: Row | None = None, quarantined: Iterable[str] = (), newest: str | None = None, **tables: pl.DataFrame
) -> Callable[[duckdb.DuckDBPyConnection], None]:
    """Registers the surroundings of a night.

    Args:
        edge: the last round of the day before, as ``make_round`` tells it.
        quarantined: raw lines in quarantine.
        newest: newest time in the studio's deliveries.
        **tables: further tables by name (``control_totals``, ``roster``).
    """
    before = None if edge is None else make_chunk(edge)
    lines = [{"source_file": "bad.ndjson", "source_line": n, "byte_offset": 0, "reason": "cut off", "raw": line.encode("latin-1")}
             for n, line in enumerate(quarantined, 1)]  # fmt: skip
    newest_times = [{"studio_id": "studio-7", "newest": datetime.fromisoformat(newest)}] if newest else []

    def register(con: duckdb.DuckDBPyConnection) -> None:
        con.register("edge_rounds", ROUNDS.empty() if before is None else before.rounds)
        con.register("edge_meters", METERS.empty() if before is None else before.meters)
        con.register("quarantine", pl.DataFrame(lines, schema=QUARANTINE.schema))
        con.register("newest_times", pl.DataFrame(newest_times, schema={"studio_id": pl.String, "newest": TIME}))
        for name, frame in tables.items():
            con.register(name, frame)

    return register


def run_night(
    check_id: str, *rounds: Row, filed: Filed | None = None, inputs: Iterable[str] = (), settle: bool = True, **surroundings: Any
) -> Ran:
    """Run one check over rounds as a whole night: the engines, the chunk, then the day. See ``around`` for the surroundings.

    Args:
        check_id: the check.
        *rounds: the night's rounds.
        filed: the filings; a clean one where they are left out.
        inputs: which of ``checks.INPUTS`` are given.
        settle: False for a check that looks at no settlement: every wager then counts as settled, which is quicker.
        **surroundings: what stands around the night.
    """
    filed = make_filed(filing()) if filed is None else filed
    around(**surroundings)(_shared_session()[0])
    chunk = make_chunk(*rounds)
    return run_checks(chunk, filed, only=check_id, inputs=inputs, reach="both", engine=None if settle else engine_rows(chunk, {}))


def raised(check_id: str, *rounds: Row, **given: Any) -> list[tuple[str | None, str | None]]:
    """Round and wager of each finding above ``info`` that one check raises over these rounds, sorted. See ``run_night``."""
    ran = run_night(check_id, *rounds, **given)
    grave = ran.findings.filter(pl.col("severity") != "info")
    return sorted(grave.select("round_id", "wager_id").rows(), key=lambda row: (row[0] or "", row[1] or ""))
