"""Which rounds a case is about."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import duckdb

from pipeline.core.errors import LakeError, ResettleError
from pipeline.explain.subject import find
from pipeline.lake.ids import INCIDENT, whole_id
from pipeline.lake.scan import sql_text
from pipeline.report.wording import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

Round = tuple[str, "date", str]
"""Studio, gaming day and round id."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What was asked for; where several things are, rounds that all of them fit.

    Attributes:
        rounds: these rounds.
        player, operator, table, dealer, studio: of this one.
        since, until: rounds dated from and to these times, both included.
        finding: the round that a finding is about; of one about a table and day, its rounds.
        incident: the rounds of an incident's findings.
    """

    rounds: tuple[str, ...] = ()
    player: str | None = None
    operator: str | None = None
    table: str | None = None
    dealer: str | None = None
    studio: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    finding: str | None = None
    incident: str | None = None

    @property
    def told(self) -> list[str]:
        """What was asked for, in words."""
        names = {"rounds": "round", "since": "from", "until": "to"}
        said = []
        for one in fields(self):
            value = getattr(self, one.name)
            texts = value if isinstance(value, tuple) else () if value is None else (value,)
            said += [f"{names.get(one.name, one.name)} {text}" for text in texts]
        return said


def rounds_in(con: duckdb.DuckDBPyConnection, scope: Scope) -> list[Round]:
    """The current rounds of a scope, in the order of time.

    Args:
        con: the lake.
        scope: what was asked for.

    Raises:
        ResettleError: nothing was asked for that picks rounds.
        LakeError: a round, finding or incident is not in the lake, or no round fits.
    """
    if not any((scope.rounds, scope.player, scope.table, scope.dealer, scope.since, scope.until, scope.finding, scope.incident)):
        way_out = "give --round, --player, --table, --dealer, --from, --to, --finding or --incident"
        raise ResettleError("nothing says what the case is about", "case", way_out)
    asked: dict[str, Any] = {one.name: getattr(scope, one.name) for one in fields(scope) if one.name not in {"finding", "incident"}}
    found: list[tuple[Any, ...]] = con.execute(sql_text("case", "rounds.sql"), {**asked, "rounds": list(scope.rounds) or None}).fetchall()
    for wanted in _named(con, scope):
        found = [row for row in found if row[:3] in wanted]
    if missing := sorted({*scope.rounds} - {row[2] for row in found}):
        raise LakeError(
            f"round {visible(missing[0])} is not in the lake, or does not fit the rest", "case", "the view rounds lists the ids"
        )
    if not found:
        raise LakeError(
            f"no round of the lake fits {visible(', '.join(scope.told))}", "case", "the views rounds and participants list what is there"
        )
    return [(studio, day, round_id) for studio, day, round_id in found]


def _named(con: duckdb.DuckDBPyConnection, scope: Scope) -> Iterator[set[tuple[Any, ...]]]:
    """The rounds of the finding, and of the incident."""
    if scope.finding is not None:
        subject = find(con, scope.finding, scope.studio, what=("finding",))
        yield set(con.execute(sql_text("case", "of_finding.sql"), [subject.finding_id]).fetchall())
    if scope.incident is not None:
        yield _of_incident(con, scope.incident)


def _of_incident(con: duckdb.DuckDBPyConnection, named: str) -> set[tuple[Any, ...]]:
    try:
        _, incident_id = whole_id(con, named, INCIDENT)
        return set(con.execute(sql_text("case", "of_incident.sql"), [incident_id]).fetchall())
    except (duckdb.BinderException, duckdb.CatalogException):
        way_out = "audit the delivery again with a version that groups findings, or name the rounds with --table, --from and --to"
        raise LakeError("this lake holds no incidents", "case", way_out) from None
