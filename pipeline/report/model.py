"""What a report says, as one typed model. Every renderer shows this and nothing else.

Each part holds what one file of ``sql/report/`` answers over the partitions of a run: aggregates and the ten worst findings, never
all rows. Amounts are in major units of the currency beside them; amounts of two currencies are never added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.lake import manifest
from pipeline.lake.layout import checked_root
from pipeline.lake.opening import open_run, run_manifest
from pipeline.lake.scan import sql_text
from pipeline.lake.totals import conservation
from pipeline.reconcile.catalogue import contract_checks

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime
    from decimal import Decimal
    from pathlib import Path

    import duckdb


@dataclass(frozen=True, slots=True)
class Night:
    """A studio's gaming day: how many tables dealt and how many rounds."""

    studio_id: str
    gaming_day: date
    tables: int
    rounds: int


@dataclass(frozen=True, slots=True)
class RoundCount:
    """Current rounds of one status."""

    status: str
    rounds: int


@dataclass(frozen=True, slots=True)
class Money:
    """Real money in one currency: the first six amounts over settled wagers, over- and underpaid over settled and voided ones."""

    currency: str | None
    wagers: int
    players: int
    settled: int
    handle: Decimal
    free_handle: Decimal
    returned: Decimal
    due: Decimal
    overpaid_wagers: int
    overpaid: Decimal
    underpaid_wagers: int
    underpaid: Decimal

    @property
    def hold(self) -> Decimal:
        """Cash staked on settled wagers less what was handed back."""
        return self.handle - self.free_handle - self.returned


@dataclass(frozen=True, slots=True)
class SettlementState:
    """Real-money wagers of one settlement and currency; ``due`` is null where nothing can be said to be due."""

    settlement: str
    currency: str | None
    wagers: int
    staked: Decimal
    returned: Decimal
    due: Decimal | None


@dataclass(frozen=True, slots=True)
class Unsettleable:
    """Why wagers could not be settled."""

    reason: str
    wagers: int


@dataclass(frozen=True, slots=True)
class MoneyOnly:
    """A studio's gaming day whose feed carries no cards: its rounds, and the wagers on them that cannot be settled without cards."""

    studio_id: str
    gaming_day: date
    rounds: int
    wagers: int


@dataclass(frozen=True, slots=True)
class IncidentMoney:
    """What an incident cost in one currency."""

    currency: str | None
    wagers: int
    players: int
    overpaid: Decimal
    underpaid: Decimal


@dataclass(frozen=True, slots=True)
class Incident:
    """One of the ten largest incidents, the systematic ones first."""

    incident_id: str
    extent: str
    gaming_day: date
    table_id: str | None
    root_cause: str
    hits: int
    opportunities: int | None
    first_round_id: str | None
    last_round_id: str | None
    message: str
    money: tuple[IncidentMoney, ...]


@dataclass(frozen=True, slots=True)
class IncidentCount:
    """Incidents of one extent, and the findings in them."""

    extent: str
    incidents: int
    findings: int


@dataclass(frozen=True, slots=True)
class FindingCount:
    """Findings of one check and severity."""

    check_id: str
    severity: str
    findings: int

    @property
    def title(self) -> str:
        """The check in words."""
        return title_of(self.check_id)


@dataclass(frozen=True, slots=True)
class FollowedUp:
    """Findings, information apart, that stand alike by what was done about them: open, assigned, accepted, disputed, closed, reopened."""

    status: str
    findings: int


@dataclass(frozen=True, slots=True)
class Worst:
    """One of the ten worst findings."""

    finding_id: str
    check_id: str
    severity: str
    message: str | None
    citation: str | None
    gaming_day: date | None
    table_id: str | None
    round_id: str | None
    wager_id: str | None
    currency: str | None
    delta: Decimal | None
    root_cause: str | None
    source_file: str | None
    source_line: int | None

    @property
    def title(self) -> str:
        """The check in words."""
        return title_of(self.check_id)


@dataclass(frozen=True, slots=True)
class NotChecked:
    """What a check did not examine, at how many tables' days, and why."""

    check_id: str
    reason: str
    tables: int
    examined: int
    not_examined: int

    @property
    def title(self) -> str:
        """The check in words."""
        return title_of(self.check_id)


@dataclass(frozen=True, slots=True)
class FileBooks:
    """The books of a file: records = accepted + repeats + quarantined + other_day."""

    source_file: str
    sha256: str
    lines: int
    blank: int
    records: int
    accepted: int
    repeats: int
    quarantined: int
    other_day: int

    @property
    def balances(self) -> bool:
        """No record was lost."""
        return self.records == self.accepted + self.repeats + self.quarantined + self.other_day


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Records that cannot be read for one reason, and where the first of them stands."""

    reason: str
    records: int
    source_file: str
    source_line: int


@dataclass(frozen=True, slots=True)
class Conservation:
    """Of one studio, day, operator and currency: paid less due is what findings name, or the difference is not 0."""

    studio_id: str
    gaming_day: date
    operator_id: str | None
    currency: str | None
    paid: Decimal
    due: Decimal
    explained: Decimal
    difference: Decimal


@dataclass(frozen=True, slots=True)
class FilingUsed:
    """A filing that the run was judged by."""

    filing_id: str
    revision: int
    operator: str
    studio_id: str
    effective_from: date
    effective_to: date | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Run:
    """How to get the same again."""

    run_id: str
    number: int
    command: str
    versions: dict[str, str]
    filings_fingerprint: str
    checks_fingerprint: str
    manifest_sha256: str
    host: str
    started_at: datetime
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class Report:
    """A run's report."""

    nights: tuple[Night, ...]
    rounds: tuple[RoundCount, ...]
    money: tuple[Money, ...]
    states: tuple[SettlementState, ...]
    unsettleable: tuple[Unsettleable, ...]
    test_wagers: int
    incident_counts: tuple[IncidentCount, ...]
    incidents: tuple[Incident, ...]
    findings: tuple[FindingCount, ...]
    worst: tuple[Worst, ...]
    checked: int
    checks_known: int
    not_checked: tuple[NotChecked, ...]
    files: tuple[FileBooks, ...]
    quarantined: tuple[Quarantined, ...]
    conservation: tuple[Conservation, ...]
    untrusted: tuple[str, ...]
    filings: tuple[FilingUsed, ...]
    run: Run
    money_only: tuple[MoneyOnly, ...] = ()
    followed_up: tuple[FollowedUp, ...] = ()


_Part = TypeVar("_Part")


def build_report(lake: Path, run_id: str | None = None) -> Report:
    """The report on what a run published.

    Args:
        lake: the lake.
        run_id: the run; null: the one published last.

    Raises:
        LakeError: there is no lake, or no such run in it.
    """
    root = checked_root(lake)
    one = run_manifest(root, run_id)
    record = manifest.read_run(root, one.number, one.run_id)
    with open_run(root, one.run_id) as con:
        ((test_wagers,),) = _numbers(con, "test_play")
        ((checked, known),) = _numbers(con, "checked")
        return Report(
            nights=_ask(con, "nights", Night),
            rounds=_ask(con, "rounds", RoundCount),
            money=_ask(con, "money", Money),
            states=_ask(con, "states", SettlementState),
            unsettleable=_ask(con, "reasons", Unsettleable),
            test_wagers=test_wagers,
            incident_counts=_ask(con, "incident_counts", IncidentCount),
            incidents=_ask(con, "incidents", _incident),
            findings=_ask(con, "findings", FindingCount),
            worst=_ask(con, "worst", Worst),
            checked=checked,
            checks_known=known,
            not_checked=_ask(con, "not_checked", NotChecked),
            files=_ask(con, "files", FileBooks),
            quarantined=_ask(con, "quarantined", Quarantined),
            conservation=tuple(Conservation(*row) for row in conservation(con).iter_rows()),
            untrusted=tuple(one.untrusted),
            filings=_ask(con, "filings", FilingUsed),
            run=Run(
                run_id=one.run_id,
                number=one.number,
                command=record.command,
                versions={"resettle": one.code_version, "python": record.python_version, **one.versions},
                filings_fingerprint=one.filings_fingerprint,
                checks_fingerprint=one.checks_fingerprint,
                manifest_sha256=record.manifest_sha256,
                host=record.host,
                started_at=record.started_at,
                finished_at=record.finished_at,
            ),
            money_only=_ask(con, "money_only", MoneyOnly),
            followed_up=_ask(con, "follow_ups", FollowedUp),
        )


def title_of(check_id: str) -> str:
    """A check in words; an operator's own check by its id."""
    known = contract_checks().get(check_id)
    return known.title if known else check_id


def _numbers(con: duckdb.DuckDBPyConnection, question: str) -> list[tuple[int, ...]]:
    return [tuple(int(number) for number in row) for row in con.execute(sql_text("report", f"{question}.sql")).fetchall()]


def _incident(*row: Any) -> Incident:
    told = Incident(*row)
    return replace(told, money=tuple(IncidentMoney(*each.values()) for each in row[-1] or ()))


def _ask(con: duckdb.DuckDBPyConnection, question: str, part: Callable[..., _Part]) -> tuple[_Part, ...]:
    """The answer to a question, whose columns are the part's fields in order."""
    return tuple(part(*row) for row in con.execute(sql_text("report", f"{question}.sql")).fetchall())
