"""Recording what someone did about findings (``pipeline.lake.finding_life``)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import duckdb

from pipeline.core.errors import LakeError
from pipeline.lake import appended
from pipeline.lake.finding_life import FollowUp, read
from pipeline.lake.ids import RECORDED, whole_id
from pipeline.lake.layout import AUDIT_DB, FOLLOW_UPS, checked_root
from pipeline.lake.publish import writing
from pipeline.lake.scan import CONFIG

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path


def record(
    lake: Path, finding_ids: Sequence[str], action: str, recorded_by: str, note: str | None = None, assignee: str | None = None
) -> list[FollowUp]:
    """Records what someone did about findings, in one step.

    Args:
        lake: the lake.
        finding_ids: findings that stand in it now, by id or by an unmistakable beginning of it.
        action: ``note`` or one of ``STATUSES``.
        recorded_by: who says so.
        note: what they say.
        assignee: who is to look at them.

    Raises:
        LakeError: no such finding, or several; one is closed already; nobody is named; or an audit is at work.
    """
    if not recorded_by.strip():
        raise LakeError("nobody is named", "--by", "say who records this")
    root = checked_root(lake)
    with writing(root) as opened:
        opened.show(anew=True)
        if opened.state is None:
            raise LakeError("there is no lake here", str(root), "name the folder that holds current.json")
        before = read(root)
        now, number = datetime.now(UTC), opened.state.number
        with duckdb.connect(root / AUDIT_DB, read_only=True, config=CONFIG) as con:
            found = dict.fromkeys(_named(con, finding_id) for finding_id in finding_ids)
        if action == "close" and (closed := [one for one in found if one[1] == "closed"]):
            raise LakeError(f"the finding {closed[0][0]} is closed already", str(root), "add to it with: resettle findings note")
        new = [
            FollowUp(len(before) + place, now, recorded_by, finding_id, action, check_id, studio_id, gaming_day, number, note, assignee)
            for place, (finding_id, _, check_id, studio_id, gaming_day) in enumerate(found, 1)
        ]
        appended.add(opened, FOLLOW_UPS, before, new)
        opened.show(anew=not before)
    return new


def _named(con: duckdb.DuckDBPyConnection, finding_id: str) -> tuple[str, str, str, str, date]:
    _, whole = whole_id(con, finding_id, RECORDED)
    sql = "SELECT status, check_id, studio_id, gaming_day FROM finding_status WHERE finding_id = ?"
    ((status, check_id, studio_id, gaming_day),) = con.execute(sql, [whole]).fetchall()
    return whole, status, check_id, studio_id, gaming_day
