"""What was paid back to players, and for which finding or incident: a file that is only ever added to (``pipeline.lake.appended``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec

from pipeline.core.errors import LakeError
from pipeline.lake import appended
from pipeline.lake.ids import FINDING, INCIDENT, whole_id
from pipeline.lake.layout import AUDIT_DB, REMEDIES, checked_root
from pipeline.lake.publish import writing
from pipeline.lake.scan import CONFIG

if TYPE_CHECKING:
    from pathlib import Path

_AMOUNT: Final = re.compile(r"\d{1,12}(\.\d{1,6})?")
_OWED: Final = {
    FINDING: """
        SELECT operator_id, player_id, currency, [finding_id], incident_id FROM findings
        WHERE finding_id = $id AND player_id IS NOT NULL AND currency IS NOT NULL
    """,
    # Before the first of them is what a remedy of the incident is kept by: an incident's id may change with what else is found.
    INCIDENT: """
        SELECT operator_id, player_id, currency, list(finding_id ORDER BY source_line, finding_id), incident_id
        FROM findings
        WHERE incident_id = $id AND delta < 0 AND player_id IS NOT NULL AND currency IS NOT NULL AND severity <> 'info'
        GROUP BY ALL
        ORDER BY ALL
    """,
}


class Remedy(msgspec.Struct, frozen=True):
    """A line of the file; see ``tables.REMEDIES``. ``previous`` is the SHA-256 of the line before it, null for the first."""

    recorded_at: datetime
    recorded_by: str
    finding_id: str
    operator_id: str | None
    player_id: str
    txn_id: str
    amount: str
    currency: str
    note: str | None = None
    incident_id: str | msgspec.UnsetType = msgspec.UNSET
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class Payee:
    """Whom a remedy pays, and in what currency; what is None is left to what is owed.

    Attributes:
        player_id: the player.
        operator_id: their operator.
        currency: ISO 4217 code.
    """

    player_id: str | None = None
    operator_id: str | None = None
    currency: str | None = None


_WHOEVER: Final = Payee()


def record(lake: Path, named: str, txn_id: str, amount: str, recorded_by: str, note: str | None = None, payee: Payee = _WHOEVER) -> Remedy:
    """Records that a wallet adjustment pays back what a finding, or what an incident owes one player in one currency.

    A remedy of an incident is kept by the player's first finding in it, whose id stays the same when findings are grouped anew.

    Args:
        lake: the lake.
        named: a finding or an incident that stands in it now, by its id or an unmistakable beginning.
        txn_id: the adjustment's id in the wallet's ledger.
        amount: what was paid, as decimal text in major units.
        recorded_by: who says so.
        note: why.
        payee: whom it pays, where an incident owes several.

    Raises:
        LakeError: no such finding or incident, or one of no player; several players are owed and none is named; the amount is none; the
            adjustment was recorded before; nobody is named; or an audit is at work.
    """
    if not _AMOUNT.fullmatch(amount) or not amount.strip("0."):
        raise LakeError(f"{amount!r} is no amount above zero", "--amount", "write it like 12.50")
    if not recorded_by.strip():
        raise LakeError("nobody is named", "--by", "say who records this")
    root = checked_root(lake)
    with writing(root) as opened:
        opened.show()
        if opened.state is None:
            raise LakeError("there is no lake here", str(root), "name the folder that holds current.json")
        with duckdb.connect(root / AUDIT_DB, read_only=True, config=CONFIG) as con:
            kind, whole = whole_id(con, named, FINDING, INCIDENT)
            operator_id, player_id, currency, findings, incident_id = _owed_to(con, kind, whole, payee)
        before = read(root)
        theirs = [one for one in before if (one.operator_id, one.txn_id) == (operator_id, txn_id)]
        if any(one.finding_id in findings or (one.incident_id and one.incident_id == incident_id) for one in theirs):
            raise LakeError(f"the adjustment {txn_id} is recorded for this {kind} already", str(root), "the view remedies lists what is")
        of_incident = whole if kind == INCIDENT else msgspec.UNSET
        new = Remedy(datetime.now(UTC), recorded_by, findings[0], operator_id, player_id, txn_id, amount, currency, note, of_incident)
        appended.add(opened, REMEDIES, before, [new])
        opened.show(anew=not before)
    return new


def read(root: Path) -> list[Remedy]:
    """Everything recorded, in order.

    Raises:
        LakeError: the file was changed, or a line taken out of it.
    """
    return appended.read(root / REMEDIES, Remedy)


def _owed_to(con: duckdb.DuckDBPyConnection, kind: str, whole: str, payee: Payee) -> tuple[str | None, str, str, list[str], str | None]:
    """Operator, player and currency that a finding or incident is about, the findings it owes them by, and the incident."""
    rows = con.execute(_OWED[kind], {"id": whole}).fetchall()
    if not rows:
        about = "is about no player's money" if kind == FINDING else "owes no player anything"
        raise LakeError(f"the {kind} {whole} {about}", kind, "name one that has a player and a currency")
    asked = {1: payee.player_id, 0: payee.operator_id, 2: payee.currency}
    fitting = [row for row in rows if all(wanted in {None, row[place]} for place, wanted in asked.items())]
    if not fitting:
        raise LakeError(f"the {kind} {whole} owes that player nothing in that currency", kind, "the view remedy_status lists who is owed")
    if len(fitting) > 1:
        raise LakeError(
            f"the {kind} {whole} owes {len(fitting)} players or currencies", kind, "say which with --player, --operator and --currency"
        )
    operator_id, player_id, currency, findings, incident_id = fitting[0]
    return operator_id, player_id, currency, findings, incident_id
