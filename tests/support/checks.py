"""Runs the checks over a chunk of a test as a night would: both engines, the settlements, then the SQL, in the guarded session.

``run_checks(chunk, filed, only="play_after_fold")`` gives the findings, the coverage and the settlements. A test of a check alone can
say itself what an engine would: ``engine=engine_rows(chunk, {"r1-p1-ante": {"expected": "20.00"}})``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core.schema import ENGINE, Chunk
from pipeline.reconcile.checks import CheckSet, load_checks
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.findings import CheckRun
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import compare, settled_result
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import duckdb

    from pipeline.core.filed import Filed
    from pipeline.reconcile.checks import FailedCheck

Row = dict[str, Any]

FIRED: set[str] = set()
SILENT: set[str] = set()
"""Checks that the tests of this process have seen fire, and stay silent (``unproved``)."""


@dataclass(frozen=True)
class Ran:
    """What a run of the checks left."""

    findings: pl.DataFrame
    coverage: pl.DataFrame
    settlements: pl.DataFrame
    failed: tuple[FailedCheck, ...]

    @property
    def raised(self) -> list[tuple[str, str | None]]:
        """Check and wager (else hand) of each finding, sorted."""
        rows = self.findings.select("check_id", pl.coalesce("wager_id", "hand_id")).rows()
        return sorted(rows, key=lambda row: (row[0], row[1] or ""))

    @property
    def one(self) -> Row:
        """The only finding."""
        assert self.findings.height == 1, self.findings.select("check_id", "wager_id", "message").rows()
        return self.findings.row(0, named=True)

    def covered(self, check_id: str) -> Row:
        """The coverage of a check at the first table."""
        return self.coverage.filter(pl.col("check_id") == check_id).row(0, named=True)


def engine_rows(chunk: Chunk, told: dict[str, Row], **every: Any) -> pl.DataFrame:
    """An engine's frame said by hand: for each current wager, settled with nothing due, then ``every``, then ``told[wager_id]``."""
    base = {"settlement": "settled", "filing_no": 0, "expected": "0.00"}
    rows = []
    for wager in chunk.wagers.filter("is_current").iter_rows(named=True):
        row = {**base, **({"expected_bonus": "0.00"} if wager["kind"] == "ante" else {}), **every, **told.get(wager["wager_id"], {})}
        money = {name: None if row.get(name) is None else Decimal(row[name]) for name in ("expected", "expected_bonus")}
        rows.append({c.name: row.get(c.name) for c in ENGINE.columns} | money | {"wager_key": wager["wager_key"]})
    return pl.DataFrame(rows, schema=ENGINE.schema)


@cache
def all_checks() -> CheckSet:
    """The project's checks, read once."""
    return load_checks()


def run_checks(
    chunk: Chunk,
    filed: Filed,
    only: str | Iterable[str] | None = None,
    *,
    engine: pl.DataFrame | None = None,
    disagreeing: pl.DataFrame | None = None,
    inputs: Iterable[str] = (),
    own: Path | None = None,
    before: Callable[[duckdb.DuckDBPyConnection], object] | None = None,
    reach: str = "round",
    may_fail: bool = False,
    thorough: bool = True,
) -> Ran:
    """Settle a chunk and run the checks on it.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: the filings.
        only: the id of the check to run, or several; every check where it is left out.
        engine: what an engine says, in place of the two engines.
        disagreeing: where the engines differ, in place of the comparison.
        inputs: which of ``checks.INPUTS`` are given.
        own: a folder with an operator's checks.
        before: called with the connection before the checks run, to register more tables.
        reach: ``round``, ``day`` or ``both``; the day is then the chunk.
        may_fail: a check that fails is no error of the test.
        thorough: run every check, and raise where one finds what it says it cannot.
    """
    checks = load_checks(own) if own is not None else all_checks()
    if only is not None:
        wanted = {only} if isinstance(only, str) else set(only)
        assert wanted <= {check.check_id for check in checks.checks}, wanted
        checks = replace(checks, checks=tuple(check for check in checks.checks if check.check_id in wanted))
    con, twin = _shared_session() if before is None else _new_session()
    settled, differing = _settle(twin, chunk, filed, engine)
    differing = differing if disagreeing is None else disagreeing
    if before is not None:
        before(con)
    first = chunk.rounds.row(0, named=True)
    run = CheckRun(
        con, checks, filed, RunContext("test-run", first["studio_id"], first["gaming_day"], frozenset(inputs)), thorough=thorough
    )
    if reach in {"round", "both"}:
        run.run_chunk(chunk, settled, differing)
    if reach in {"day", "both"}:
        run.run_day()
    assert may_fail or not run.failed_checks, run.failed_checks
    ran = Ran(run.findings(), run.coverage(chunk.rounds["table_id"].unique().sort().to_list()), settled, run.failed_checks)
    _demand_examined(ran)
    _note(ran, checks, named=only is not None)
    return ran


def _note(ran: Ran, checks: CheckSet, *, named: bool) -> None:
    """Keep in mind which checks have fired, and which were asked for by name, had something to examine and found nothing wrong."""
    examined = set(ran.coverage.filter(pl.col("examined") > 0)["check_id"])
    fired = set(ran.findings["check_id"])
    FIRED.update(fired)
    if named:
        SILENT.update({check.check_id for check in checks.checks} & examined - fired)


def unproved(fired: set[str], silent: set[str]) -> list[str]:
    """In words, the project's checks that no test saw fire, or saw stay silent."""
    ids = [check.check_id for check in all_checks().checks]
    says = [f"{check_id}: no test in which it fires" for check_id in ids if check_id not in fired]
    return says + [f"{check_id}: no test in which it examines something and stays silent" for check_id in ids if check_id not in silent]


def _new_session() -> tuple[duckdb.DuckDBPyConnection, Twin]:
    con = open_session()
    return con, Twin(con)


@cache
def _shared_session() -> tuple[duckdb.DuckDBPyConnection, Twin]:
    return _new_session()


def _settle(twin: Twin, chunk: Chunk, filed: Filed, engine: pl.DataFrame | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    if engine is None:
        ours = settle(chunk, filed)
        differing = compare(ours, twin.settle(chunk, filed))
        engine = settled_result(ours, differing)
    else:
        twin.register(chunk, filed)
        differing = compare(engine, engine)
    return settlements(chunk, engine, filed), differing


def _demand_examined(ran: Ran) -> None:
    covered = {(row["check_id"], row["table_id"]) for row in ran.coverage.filter(pl.col("examined") > 0).iter_rows(named=True)}
    for found in ran.findings.iter_rows(named=True):
        if found["table_id"] is not None:
            assert (found["check_id"], found["table_id"]) in covered, f"{found['check_id']} finds what it does not examine"
