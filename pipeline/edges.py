"""The edge of a night: the last rounds and meters of the studio's gaming day before, for checks that look across the cut."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import METERS, ROUNDS
from pipeline.lake.earlier import last_published_day

if TYPE_CHECKING:
    from datetime import date

    from pipeline.feeds.stage import Stage
    from pipeline.lake.earlier import Published

REACH: Final = timedelta(hours=1)
"""How far before a table's last round the checks look (58 Pa. Code § 649a.3(b), as round-log/1 counts decks)."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The last rounds of each table (``schema.ROUNDS``) and the last movement of each meter (``schema.METERS``) of the day before."""

    rounds: pl.DataFrame
    meters: pl.DataFrame


def edge_before(stage: Stage | None, lake: Published, studio_id: str, gaming_day: date) -> Edge:
    """The edge of the studio's latest day before ``gaming_day``, of those staged or published; empty where there is none.

    A day that is both counts as staged; ``stage`` is null to look at what is published alone.
    """
    staged = [day for studio, day in stage.partitions() if studio == studio_id and day < gaming_day] if stage else []
    published = [day for day in lake.days(studio_id) if day < gaming_day]
    if not staged and not published:
        return Edge(ROUNDS.empty(), METERS.empty())
    if stage is not None and staged and max(staged) >= max(published, default=max(staged)):
        rounds, meters = stage.standing_rows((studio_id, max(staged)))
    else:
        rounds, meters = last_published_day(lake, studio_id, gaming_day)
    last = pl.col("dated_at").max().over("table_id")
    latest = meters.sort("seq", "meter_no", nulls_last=False).unique("meter_id", keep="last", maintain_order=True)
    return Edge(rounds.filter(pl.col("dated_at") >= last - REACH).sort("table_id", "dated_at", "round_id"), latest)
