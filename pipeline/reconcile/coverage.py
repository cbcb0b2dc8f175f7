"""How much each check examined at each table: what was not looked at is said, never shown as nothing found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import duckdb
import polars as pl

from pipeline.core.results import COVERAGE
from pipeline.reconcile.catalogue import contract_checks
from pipeline.reconcile.checks import INPUTS, Check, CheckSet, FailedCheck
from pipeline.reconcile.header import first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.reconcile.context import RunContext

NOT_BUILT: Final = "not checked: not built"

_Reason = str | None


@dataclass(slots=True)
class CoverageCount:
    """Counts the checks' subjects, chunk by chunk, and tells them as the table ``coverage``.

    Args:
        checks: the checks of the run.
        context: the run, studio and gaming day, and which inputs were given.
    """

    checks: CheckSet
    context: RunContext
    _counts: Counter[tuple[str, str, _Reason]] = field(default_factory=Counter)
    _counted: set[str] = field(default_factory=set)

    def lacks(self, check: Check) -> str | None:
        """The first input that the check needs and the run has not; None where it can run."""
        return next((need for need in check.needs if need not in self.context.inputs), None)

    def count(self, con: duckdb.DuckDBPyConnection, reach: str, skip: Iterable[str] = ()) -> tuple[list[FailedCheck], set[str]]:
        """Add the subjects of a chunk (``reach`` round) or of a day.

        Args:
            con: the connection in which the populations stand.
            reach: which checks to count for.
            skip: ids of checks that have failed.

        Returns:
            The checks whose population or conditions do not run, and the ids of those that had a subject, examined or not.
        """
        self._counted.add(reach)
        left_out = set(skip)
        able = [check for check in self.checks.reaching(reach) if self.lacks(check) is None and check.check_id not in left_out]
        failed: list[FailedCheck] = []
        busy: set[str] = set()
        groups = _by_relation(able)
        while groups:
            group = groups.pop()
            try:
                asked = _Count.of(group)
                told = con.execute(asked.sql)
                names = [name for name, *_ in told.description or ()]
                counted = [dict(zip(names, row, strict=True)) for row in told.fetchall()]
                if not all(isinstance(row[name], int) for row in counted for name in asked.examined):
                    raise duckdb.InvalidInputException("'by' names a column that holds no whole numbers")
                busy |= self._add(group, asked, counted)
            except duckdb.Error as error:
                if len(group) > 1:
                    groups += [[check] for check in group]
                else:
                    failed.append(FailedCheck(group[0].check_id, group[0].line_of("examines"), first_line(error)))
        return failed, busy

    def frame(self, tables: Iterable[str], failed: Sequence[FailedCheck] = ()) -> pl.DataFrame:
        """``results.COVERAGE``: every check of the contract and every other of the run, for each table.

        Args:
            tables: the tables of the studio's day; those that a filing or a control total names beside them are added.
            failed: checks that failed.
        """
        counted = {table for _, table, _ in self._counts if table is not None}
        tables = sorted(counted.union(tables))
        errors = {failure.check_id: failure.error for failure in failed}
        built = {check.check_id: check for check in self.checks.checks}
        ids = dict.fromkeys([*contract_checks(), *built, *errors])
        reasons: dict[tuple[str, str | None], dict[str, int]] = {}
        for (check_id, table, reason), subjects in self._counts.items():
            if reason is not None:
                reasons.setdefault((check_id, table), {})[reason] = subjects
        rows = [
            (table, check_id, *self._told(check_id, table, built.get(check_id), errors.get(check_id), reasons.get((check_id, table), {})))
            for check_id in ids
            for table in tables
        ]
        told = pl.DataFrame(
            rows, schema=["table_id", "check_id", "examined", "not_examined", "reason"], orient="row", infer_schema_length=None
        )
        return told.select(
            pl.lit(self.context.run_id).alias("run_id"),
            pl.lit(self.context.gaming_day).alias("gaming_day"),
            pl.lit(self.context.studio_id).alias("studio_id"),
            pl.all(),
        ).cast(COVERAGE.schema).sort("table_id", "check_id")  # fmt: skip

    def _add(self, group: list[Check], asked: _Count, counted: list[dict[str, Any]]) -> set[str]:
        busy: set[str] = set()
        for row in counted:
            for check, examined, left_out in zip(group, asked.examined, asked.left_out, strict=True):
                self._counts[check.check_id, row["table_id"], None] += row[examined]
                if row[examined]:
                    busy.add(check.check_id)
                for unless, name in zip(check.unless, left_out, strict=True):
                    if row[name]:
                        busy.add(check.check_id)
                        reason = unless.reason.format_map({column: row[column] for column in unless.columns})
                        self._counts[check.check_id, row["table_id"], reason] += row[name]
        return busy

    def _told(
        self, check_id: str, table: str, check: Check | None, error: str | None, reasons: Mapping[str, int]
    ) -> tuple[int, int, _Reason]:
        if error is not None:
            return 0, 0, f"not checked: the check failed: {error}"
        if check is None:
            return 0, 0, NOT_BUILT
        if need := self.lacks(check):
            return 0, 0, f"not checked: {INPUTS[need]}"
        if check.reach not in self._counted:
            return 0, 0, "not checked: the log was not run through it"
        examined = self._counts[check_id, table, None]
        told = "; ".join(f"{reason}: {n}" for reason, n in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])))
        if examined == 0:
            nothing = f"no {check.subject or 'subject of it'}"
            return 0, sum(reasons.values()), f"not checked: {told or nothing}"
        return examined, sum(reasons.values()), told or None


def _by_relation(checks: list[Check]) -> list[list[Check]]:
    groups: dict[str, list[Check]] = {}
    for check in checks:
        groups.setdefault(check.examines.relation, []).append(check)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class _Count:
    """The query that counts the subjects of checks on one relation, and the columns in which each check's counts stand."""

    sql: str
    examined: list[str]
    left_out: list[list[str]]

    @classmethod
    def of(cls, group: list[Check]) -> _Count:
        """What several checks count alike is counted once."""
        names: dict[str, str] = {}

        def column(check: Check, condition: str) -> str:
            return names.setdefault(check.examines.counted(condition), f"c{len(names)}")

        examined, left_out = [], []
        for check in group:
            so_far = f"({check.examines.condition})"
            out = []
            for unless in check.unless:
                out.append(column(check, f"{so_far} AND coalesce(({unless.condition}), false)"))
                so_far += f" AND NOT coalesce(({unless.condition}), false)"
            left_out.append(out)
            examined.append(column(check, so_far))
        keys = dict.fromkeys(["table_id", *(key for check in group for unless in check.unless for key in unless.columns)])
        counts = (f"{count} AS {name}" for count, name in names.items())
        return cls(f"SELECT {', '.join((*keys, *counts))} FROM {group[0].examines.relation} GROUP BY ALL", examined, left_out)
