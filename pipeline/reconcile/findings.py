"""The runner: every check's rows as findings, each with its severity, citation and an id that is the same in every run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import duckdb
import polars as pl
import pyarrow.dataset as ds

from pipeline.core.arrow import as_views
from pipeline.core.errors import CheckError
from pipeline.core.results import FINDINGS, SETTLEMENTS
from pipeline.reconcile.checks import Check, CheckSet, FailedCheck, View, words
from pipeline.reconcile.completion import RESULT_COLUMNS, check_columns, cited_filings, completing, told_columns
from pipeline.reconcile.coverage import CoverageCount
from pipeline.reconcile.header import first_line, sql_error_line
from pipeline.reconcile.kept import Kept
from pipeline.reconcile.payouts import settled_wagers
from pipeline.reconcile.suspects import unsuspecting
from pipeline.settle.supposed import settle_reread, settle_unvoided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk
    from pipeline.reconcile.context import RunContext


@dataclass(slots=True)
class CheckRun:
    """Runs the checks over one studio and gaming day, chunk by chunk, and collects what they find.

    The connection holds, under their names, the chunk's tables, their ``current_*`` views and the frames of ``Filed`` (``filings``,
    ``filed_wagers``, …), as ``Twin.register`` leaves them; for ``run_day``, ``rounds`` are those of the whole day.

    Args:
        con: see ``session.open_session``.
        checks: the checks of the run.
        filed: the filings of the run.
        context: the run, studio and gaming day, and which inputs were given.
        kept: where rows of views are kept from chunk to day.
        thorough: run every check, whether or not there is anything that it could find, and raise where one finds what it did not suspect.
    """

    con: duckdb.DuckDBPyConnection
    checks: CheckSet
    filed: Filed
    context: RunContext
    kept: Kept = field(default_factory=Kept)
    thorough: bool = False
    coverage_count: CoverageCount = field(init=False)
    _under: dict[str, tuple[View, ...]] = field(default_factory=dict)
    _first: tuple[View, ...] = ()
    _made: set[str] = field(default_factory=set)
    _what_ifs: dict[str, Callable[[], pl.DataFrame]] = field(default_factory=dict)
    _found: list[pl.DataFrame] = field(default_factory=list)
    _failed: dict[str, FailedCheck] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take over the operator's files that could not be read as checks that failed."""
        self.coverage_count = CoverageCount(self.checks, self.context)
        able = [check for check in self.checks.checks if not self.coverage_count.lacks(check)]
        self._under = {text: self.checks.views_under(text) for check in able for text in (check.counts, check.sql)}
        kept = {view.name: view.sql for view in self.checks.views_under(*self._under) if view.keep == "day"}
        under = {view.name for view in self.checks.views_under(*kept.values())}
        self._first = tuple(view for view in self.checks.views if view.name in kept.keys() | under)
        self._failed = {failure.check_id: failure for failure in self.checks.broken}
        self.con.register("cited_filings", cited_filings(self.filed, self.context))

    @property
    def failed_checks(self) -> tuple[FailedCheck, ...]:
        """The checks that could not be read or run, by id; where there are any, the night is not to be trusted."""
        return tuple(self._failed[check_id] for check_id in sorted(self._failed))

    def run_chunk(self, chunk: Chunk, settled: pl.DataFrame, differing: pl.DataFrame) -> None:
        """Run the checks that reach over a round on the chunk that stands in the connection.

        Args:
            chunk: that chunk.
            settled: ``results.SETTLEMENTS`` of it; stands in the connection as ``settlements``, and as ``settled_wagers`` with all that the
                log says of the wagers.
            differing: where the engines differ (``agreement.compare``); stands in it as ``disagreements``.

        What voided wagers would have come to stands in it as ``unvoided``, and what is due by the first and by the last reading of cards
        that were corrected late as ``reread`` (``settle.supposed``).
        """
        self.con.register("disagreements", differing)
        self.con.register("settled_wagers", as_views(settled_wagers(chunk, settled)))
        self.con.execute(f"CREATE OR REPLACE TEMP VIEW settlements AS SELECT {', '.join(SETTLEMENTS.schema)} FROM settled_wagers")
        self._what_ifs = {"unvoided": lambda: settle_unvoided(chunk, self.filed), "reread": lambda: settle_reread(chunk, self.filed)}
        self._run("round")

    def run_day(self) -> None:
        """Run the checks that reach over a day, once a studio and gaming day, after its chunks."""
        self._what_ifs = {}
        kept = self.kept.files()
        for name, file in kept.items():
            self.con.execute(f"DROP TABLE {name}")
            self.con.register(name, ds.dataset(file, format="parquet"))
        try:
            self._run("day")
        finally:
            for name in kept:
                self.con.unregister(name)

    def findings(self) -> pl.DataFrame:
        """``results.FINDINGS``, without root causes, sorted by table, round, check and id. A check that failed has none."""
        found = pl.concat([FINDINGS.empty(), *self._found]).filter(~pl.col("check_id").is_in(list(self._failed)))
        return found.sort("table_id", "round_id", "check_id", "finding_id", nulls_last=True)

    def coverage(self, tables: list[str]) -> pl.DataFrame:
        """``results.COVERAGE`` for these tables."""
        return self.coverage_count.frame(tables, self.failed_checks)

    def _run(self, reach: str) -> None:
        self._made.clear()
        if reach == "round":
            self._keep()
        able = [c for c in self.checks.reaching(reach) if c.check_id not in self._failed and not self.coverage_count.lacks(c)]
        idle = self._idle(able, reach)
        awake = [c for c in able if c.check_id not in self._failed and (self.thorough or c.check_id not in idle)]
        for check in awake:
            self._settle_otherwise(check.sql)
            self._make(self._under[check.sql], reach)
        # A day's checks each go through all rounds of the day, and would hold what they sort beside each other.
        silent = set() if reach == "day" else self._silent([check for check in awake if not check.own and not check.suspects])
        found: list[pl.DataFrame] = []
        for check in awake:
            if check.check_id in silent:
                continue
            try:
                rows = self._rows(check)
            except duckdb.Error as error:
                self._failed[check.check_id] = FailedCheck(check.check_id, self._where(check), first_line(error))
            except CheckError as error:
                self._failed[check.check_id] = FailedCheck(check.check_id, error.where, error.what)
            else:
                if not rows.is_empty() and check.check_id in idle:
                    raise CheckError("finds what it neither examines nor suspects", check.where)
                found.append(rows)
        self._complete(found)

    def _keep(self) -> None:
        """Work out the views of which the day's checks want the rows of all chunks."""
        self._make(self._first, "round")
        for view in self._first:
            if view.keep == "day":
                self.kept.add(view.name, self.con.table(view.name).to_arrow_table())

    def _idle(self, checks: list[Check], reach: str) -> set[str]:
        """Count what these examine; returns the ids of those that cannot find anything in this chunk or day."""
        for check in checks:
            self._make(self._under[check.counts], reach)
        failed, busy = self.coverage_count.count(self.con, reach, self._failed)
        idle, misnamed = unsuspecting(self.con, checks)
        self._failed |= {failure.check_id: failure for failure in (*failed, *misnamed)}
        # What a check of the project does not examine it does not find.
        return idle | ({check.check_id for check in checks if not check.own} - busy)

    def _make(self, views: Iterable[View], reach: str) -> None:
        """Work out the views of this reach that were not yet, in this chunk or day."""
        for view in views:
            if view.reach != reach or view.name in self._made:
                continue
            self._made.add(view.name)
            self._settle_otherwise(view.sql)
            kind = "VIEW" if view.keep == "nothing" else "TABLE"
            try:
                self.con.execute(f"CREATE OR REPLACE TEMP {kind} {view.name} AS\n{view.sql}")
            except duckdb.Error as error:
                raise CheckError(first_line(error), f"sql/views/{view.name}.sql") from error

    def _settle_otherwise(self, sql: str) -> None:
        """Settle what would have been otherwise, where SQL asks for it and it was not yet in this chunk."""
        for name in self._what_ifs.keys() & words(sql):
            self.con.register(name, self._what_ifs.pop(name)())

    def _silent(self, checks: list[Check]) -> set[str]:
        """Those that find nothing, all asked at once: on most chunks most do, and planning each alone costs more than running it."""
        asked = [f"SELECT '{check.check_id}' WHERE NOT EXISTS {check.select.removeprefix('SELECT * FROM ')}" for check in checks]
        try:
            return {check_id for (check_id,) in self.con.execute("\nUNION ALL\n".join(asked)).fetchall()} if asked else set()
        except duckdb.Error:
            return set()

    def _rows(self, check: Check) -> pl.DataFrame:
        """What a check finds, as ``completing`` wants it."""
        rows = self.con.sql(check.select)
        types = dict(zip(rows.columns, map(str, rows.types), strict=True))
        _demand_columns(check, types)
        frame: pl.DataFrame = rows.project(told_columns(types)).distinct().pl()
        if frame["message"].null_count():
            raise CheckError("returned a row without a message", check.where)
        return frame.with_columns(**check_columns(check, types))

    def _complete(self, rows: list[pl.DataFrame]) -> None:
        """Keep the rows of all checks of this chunk or day as findings: one query for all, since planning it costs more than running it."""
        if not any(frame.height for frame in rows):
            return
        found = pl.concat([frame for frame in rows if frame.height])
        self.con.register("rows_found", found)
        complete = self.con.sql(completing(found, self.context)).pl()
        self.con.unregister("rows_found")
        nothing = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in FINDINGS.schema.items() if name not in complete.columns]
        self._found.append(complete.with_columns(nothing).select(FINDINGS.schema.names()).cast(dict(FINDINGS.schema)))

    def _where(self, check: Check) -> str:
        try:
            self.con.execute(f"EXPLAIN {check.select}")
        except duckdb.Error as error:
            if line := sql_error_line(error):
                return f"{check.file}:{line}"
        return check.where


def _demand_columns(check: Check, types: dict[str, str]) -> None:
    if unknown := sorted(types.keys() - RESULT_COLUMNS.keys()):
        allowed = f"it may return {', '.join(RESULT_COLUMNS)}"
        raise CheckError(f"returns {', '.join(unknown)}, which a finding has not", check.where, allowed)
    if "message" not in types:
        raise CheckError("returns no message", check.where)
    for amount in ("expected", "paid", "delta"):
        if types.get(amount, "DECIMAL").partition("(")[0] not in {"DECIMAL", "INTEGER", "BIGINT", "HUGEINT", "NULL", '"NULL"'}:
            raise CheckError(f"returns {amount} as {types[amount]}, and money is exact: cast it to DECIMAL", check.where)
