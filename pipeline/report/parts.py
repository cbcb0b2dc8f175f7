"""The parts of a report, each what one file of ``sql/report/`` answers: aggregates and the worst rows, never all of them.

Amounts are in major units of the currency beside them; amounts of two currencies are never added.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Final

from pipeline.reconcile.catalogue import contract_checks
from pipeline.reconcile.checks import load_checks

if TYPE_CHECKING:
    from datetime import date, datetime
    from decimal import Decimal

ENOUGH_NIGHTS: Final = 5
"""Nights that a figure is held against at least before it counts as beyond their range."""


def title_of(check_id: str) -> str:
    """A check in words; an operator's own check by its id."""
    return _titles().get(check_id, check_id)


@cache
def _titles() -> dict[str, str]:
    """The contract's checks, built or not, and those that the project has beside them."""
    beside = {check.check_id: check.title for check in load_checks().checks}
    return beside | {check_id: named.title for check_id, named in contract_checks().items()}


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
    citation: str | None
    source_file: str | None
    source_line: int | None


@dataclass(frozen=True, slots=True)
class IncidentCount:
    """Incidents of one extent, and the findings in them."""

    extent: str
    incidents: int
    findings: int


@dataclass(frozen=True, slots=True)
class FollowedUp:
    """Findings, information apart, that stand alike by what was done about them: open, assigned, accepted, disputed, closed, reopened."""

    status: str
    findings: int


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
class Wallet:
    """What was due, reported and moved by the wallet, of one operator, currency and standing; ``players`` counts each in each round.

    ``due`` and ``reported_less_due`` are null where it is not known what was due.
    """

    operator_id: str | None
    currency: str | None
    standing: str
    players: int
    due: Decimal | None
    reported: Decimal
    wallet: Decimal
    reported_less_due: Decimal | None
    wallet_less_reported: Decimal


@dataclass(frozen=True, slots=True)
class WalletSum:
    """How far the wallet was compared: rounds and players that a ledger reaches, that none reaches, and that differ."""

    compared: int
    unreached: int
    differing: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a studio's last night beside the nights before it.

    Attributes:
        studio_id: the studio.
        gaming_day: its last night in the report.
        subject: rounds, wagers, handle, hold (in percent of the cash staked), findings (of the check ``name``) or severity (findings of
            the severity ``name``).
        name: the check or severity; null elsewhere.
        currency: of handle and hold.
        value: the night's own; null where there is none, as of a hold without handle.
        before: the nights before that have one, oldest first.
    """

    studio_id: str
    gaming_day: date
    subject: str
    name: str | None
    currency: str | None
    value: Decimal | None
    before: tuple[tuple[date, Decimal], ...]

    @property
    def median(self) -> Decimal | None:
        """The middle of the nights before; null where there is none."""
        return median(value for _, value in self.before) if self.before else None

    @property
    def lowest(self) -> Decimal | None:
        """The least of the nights before."""
        return min((value for _, value in self.before), default=None)

    @property
    def highest(self) -> Decimal | None:
        """The most of the nights before."""
        return max((value for _, value in self.before), default=None)

    @property
    def beyond(self) -> str | None:
        """``more`` or ``less`` than on any of the nights before; null within their range, or where they are too few to tell."""
        if self.value is None or self.lowest is None or self.highest is None or len(self.before) < ENOUGH_NIGHTS:
            return None
        return "more" if self.value > self.highest else "less" if self.value < self.lowest else None


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
