"""What changed: each studio's last night beside the nights before it, from the small totals that every night leaves in the lake."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from pipeline.lake.scan import over_files, sql_text
from pipeline.lake.tables import PARTITION_TABLES
from pipeline.lake.working_copy import brought
from pipeline.report.parts import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from pathlib import Path

    from pipeline.lake.earlier import Published
    from pipeline.lake.facts import PartitionFacts

NIGHTS: Final = 30

_TOTALS: Final = ("daily_totals", "night_counts")
_COUNTED: Final = {"rounds", "findings", "severity"}
"""Subjects that ``night_counts`` tells; the others come from ``daily_totals``."""
_NOT_ZERO: Final = {"hold"}
"""Subjects that a night without a row has not, where others are 0."""


def figures(lake: Published, nights: Iterable[PartitionFacts]) -> tuple[Figure, ...]:
    """The figures of each studio's last night with rounds, beside up to ``NIGHTS`` nights with rounds before it that are current.

    Args:
        lake: the lake as it stands.
        nights: what the run published.
    """
    last = {facts.studio_id: facts for facts in sorted(nights, key=lambda facts: facts.gaming_day) if _rounds(facts)}
    return tuple(figure for _, facts in sorted(last.items()) for figure in _of_studio(lake, facts))


def _of_studio(lake: Published, tonight: PartitionFacts) -> list[Figure]:
    before = _nights_before(lake, tonight)
    told = [*before, tonight]
    days = {
        "daily_totals": [facts.gaming_day for facts in before],
        "night_counts": [facts.gaming_day for facts in before if "night_counts" in facts.tables],
    }
    series: dict[tuple[str, str | None, str | None], dict[date, Decimal]] = {}
    for subject, name, currency, gaming_day, value in _values(lake.root, told):
        series.setdefault((subject, name, currency), {})[gaming_day] = value
    found = []
    for (subject, name, currency), by_day in series.items():
        known = days["night_counts" if subject in _COUNTED else "daily_totals"]
        absent = None if subject in _NOT_ZERO else Decimal(0)
        earlier = ((day, by_day.get(day, absent)) for day in known)
        kept = tuple((day, value) for day, value in earlier if value is not None)
        found.append(Figure(tonight.studio_id, tonight.gaming_day, subject, name, currency, by_day.get(tonight.gaming_day, absent), kept))
    return found


def _nights_before(lake: Published, tonight: PartitionFacts) -> list[PartitionFacts]:
    """The nights with rounds before one, oldest first; manifests of older nights are not looked into."""
    found: list[PartitionFacts] = []
    keys = [key for key in lake.partitions(tonight.studio_id) if key.gaming_day < tonight.gaming_day]
    for key in sorted(keys, reverse=True):
        facts = next(one for one in lake.chain[key.number].partitions if (one.studio_id, one.gaming_day) == (key.studio_id, key.gaming_day))
        if _rounds(facts):
            found.append(facts)
        if len(found) == NIGHTS:
            break
    return found[::-1]


def _rounds(facts: PartitionFacts) -> int:
    return facts.tables["rounds"].rows if "rounds" in facts.tables else 0


def _values(root: Path, nights: Sequence[PartitionFacts]) -> list[tuple[str, str | None, str | None, date, Decimal]]:
    held = {name: [table for facts in nights if (table := facts.tables.get(name)) and table.file] for name in _TOTALS}
    files = {name: [brought(root, table) for table in tables] for name, tables in held.items()}
    with over_files({table: PARTITION_TABLES[table] for table in _TOTALS}, files) as con:
        return con.execute(sql_text("report", "figures.sql")).fetchall()
