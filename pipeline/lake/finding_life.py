"""The life of a finding, read: who said what about it, and which closed findings a later publish brought back.

A finding itself is never altered: it is what the check said. Its id stays the same from run to run, so what was said of it outlives them.
"""

from __future__ import annotations

from datetime import date, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl

from pipeline.lake import appended, manifest
from pipeline.lake.layout import FOLLOW_UPS
from pipeline.lake.working_copy import brought

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pipeline.lake.facts import PartitionFacts

STATUSES: Final = {"assign": "assigned", "accept": "accepted", "dispute": "disputed", "close": "closed"}
"""Each action that changes how a finding stands, and how it stands then. A note changes nothing."""

_SAID: Final = ("severity", "currency", "expected", "paid", "delta")
"""What of a finding is judged when it is closed: where it changes, the judgement no longer covers it."""


class FollowUp(msgspec.Struct, frozen=True):
    """A line of the file; see ``tables.FOLLOW_UPS``. ``previous`` is the SHA-256 of the line before it, null for the first."""

    entry: int
    recorded_at: datetime
    recorded_by: str
    finding_id: str
    action: str
    check_id: str
    studio_id: str
    gaming_day: date
    number: int
    note: str | None = None
    assignee: str | None = None
    previous: str | None = None


def read(root: Path) -> list[FollowUp]:
    """Everything recorded, in order.

    Raises:
        LakeError: the file was changed, or a line taken out of it.
    """
    return appended.read(root / FOLLOW_UPS, FollowUp)


def reopenings(root: Path, chain: Mapping[int, manifest.Manifest]) -> list[dict[str, object]]:
    """The findings that were closed and that a later publish brought back, as rows of ``tables.REOPENINGS``.

    A finding comes back where a publish of its gaming day had it no longer, or with another severity or other amounts, and one has it
    (so). Only what was published after it was closed, and before somebody took it up again, is looked at.

    Args:
        root: the lake.
        chain: all manifests up to the state shown, by number.
    """
    said = read(root)
    parts = {number: manifest.by_day(one) for number, one in sorted(chain.items())}
    found: list[dict[str, object]] = []
    for place, closed in enumerate(said):
        if closed.action != "close":
            continue
        later = (one.number for one in said[place + 1 :] if one.finding_id == closed.finding_id and one.action in STATUSES)
        until = next(later, max(parts, default=0))
        night = (closed.studio_id, closed.gaming_day)
        published = [number for number, days in parts.items() if night in days or _withdraws(chain[number], night)]
        stood = [number for number in published if number <= closed.number]
        since = [number for number in published if closed.number < number <= until]
        if since and stood:
            tellings = [(number, _told(root, parts[number].get(night), closed.finding_id)) for number in (stood[-1], *since)]
            found += _came_back(root, chain, closed.finding_id, tellings)
    return found


_Telling = tuple[object, ...] | None


def _came_back(
    root: Path, chain: Mapping[int, manifest.Manifest], finding_id: str, tellings: Sequence[tuple[int, _Telling]]
) -> Iterator[dict[str, object]]:
    for (_, before), (number, now) in pairwise(tellings):
        if now is not None and now != before:
            record = manifest.read_run(root, number, chain[number].run_id)
            yield {
                "finding_id": finding_id, "number": number, "reopened_at": record.finished_at.isoformat(), "run_id": record.run_id,
                "why": "came back" if before is None else "says something else",
            }  # fmt: skip
            return


def _told(root: Path, facts: PartitionFacts | None, finding_id: str) -> _Telling:
    table = facts.tables.get("findings") if facts else None
    if table is None or table.file is None:
        return None
    rows = pl.scan_parquet(brought(root, table), glob=False).filter(pl.col("finding_id") == finding_id).select(_SAID).collect().rows()
    return rows[0] if rows else None


def _withdraws(one: manifest.Manifest, night: tuple[str, date]) -> bool:
    return any((key.studio_id, key.gaming_day) == night for key in one.withdrawn)
