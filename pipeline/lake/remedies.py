"""What was paid back to players, and for which finding: a file that is only ever added to (``pipeline.lake.appended``)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec

from pipeline.core.errors import LakeError
from pipeline.lake import appended
from pipeline.lake.layout import AUDIT_DB, REMEDIES, checked_root
from pipeline.lake.publish import writing
from pipeline.lake.scan import CONFIG

if TYPE_CHECKING:
    from pathlib import Path

_AMOUNT: Final = re.compile(r"\d{1,12}(\.\d{1,6})?")


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
    previous: str | None = None


def record(lake: Path, finding_id: str, txn_id: str, amount: str, recorded_by: str, note: str | None = None) -> Remedy:
    """Records that a wallet adjustment pays a finding back, to the finding's player and in its currency.

    Args:
        lake: the lake.
        finding_id: a finding that stands in it now.
        txn_id: the adjustment's id in the wallet's ledger.
        amount: what was paid, as decimal text in major units.
        recorded_by: who says so.
        note: why.

    Raises:
        LakeError: no such finding, or one of no player; the amount is none; the adjustment was recorded before; or an audit is at work.
    """
    if not _AMOUNT.fullmatch(amount) or not amount.strip("0."):
        raise LakeError(f"{amount!r} is no amount above zero", "--amount", "write it like 12.50")
    root = checked_root(lake)
    with writing(root) as opened:
        opened.refresh()
        operator_id, player_id, currency = _owed_to(root, finding_id)
        before = read(root)
        if any((one.operator_id, one.txn_id, one.finding_id) == (operator_id, txn_id, finding_id) for one in before):
            raise LakeError(f"the adjustment {txn_id} is recorded for this finding already", str(root), "the view remedies lists what is")
        new = Remedy(datetime.now(UTC), recorded_by, finding_id, operator_id, player_id, txn_id, amount, currency, note)
        appended.add(opened, REMEDIES, before, [new])
        opened.refresh(anew=not before)
    return new


def read(root: Path) -> list[Remedy]:
    """Everything recorded, in order.

    Raises:
        LakeError: the file was changed, or a line taken out of it.
    """
    return appended.read(root / REMEDIES, Remedy)


def _owed_to(root: Path, finding_id: str) -> tuple[str | None, str, str]:
    if not (root / AUDIT_DB).exists():
        raise LakeError("there is no lake here", str(root), "name the folder that holds current.json")
    with duckdb.connect(root / AUDIT_DB, read_only=True, config=CONFIG) as con:
        sql = "SELECT operator_id, player_id, currency FROM findings WHERE finding_id = ?"
        row = con.execute(sql, [finding_id]).fetchone()
    if row is None:
        raise LakeError(f"no finding {finding_id} stands in the lake", str(root), "the view findings lists those that do")
    if row[1] is None or row[2] is None:
        raise LakeError(f"the finding {finding_id} is about no player's money", str(root), "name one that has a player and a currency")
    return row[0], row[1], row[2]
