"""Which published nights a delivery re-opens, beside those whose rounds it brings.

- Where a round that it brings stands on another gaming day: there its telling may no longer be current.
- The studio's next night, where the edge that its checks look back on has changed (``pipeline.edges``).
- Nights with a round that is still open and has aged, now that the studio's deliveries go on for longer.
- Nights with a gap in a table's sequence, where a record of that table was put into quarantine: the gap's finding says so.

These nights are settled again as they stand in the lake, by the filings of the run. All of the studio's nights are looked at, a column at
a time, so memory does not grow with the lake.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.core.schema import ROUNDS
from pipeline.edges import edge_before
from pipeline.feeds.staged import round_hash
from pipeline.lake.earlier import days_holding, newest_time, rows_of

if TYPE_CHECKING:
    from datetime import date

    from pipeline.core.filed import Filed
    from pipeline.feeds.stage import Stage
    from pipeline.lake.earlier import Published

Night = tuple[str, "date"]
"""A studio and a gaming day."""

CLOCKS: Final = ("dated_at", "recorded_at", "opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at", "void_at")
"""The times of a round by which a studio's deliveries go on."""

_TABLE: Final = re.compile(rb'"table_id"\s*:\s*"([^"]*)"')
_WHERE: Final = ("round_key", "source_file", "source_line")


def holding(stage: Stage, lake: Published) -> list[Night]:
    """The published nights that hold a telling of a round in ``stage``, and those that ``stage`` has rounds of."""
    staged = stage.partitions()
    delivered = stage.index().select("round_hash").unique()
    nights = []
    for studio in sorted({studio for studio, _ in staged}):
        holds = set(days_holding(lake, studio, delivered, round_hash()))
        nights += [(studio, day) for day in lake.days(studio) if day in holds or (studio, day) in staged]
    return nights


def newest_times(stage: Stage, lake: Published) -> pl.DataFrame:
    """``studio_id, newest`` of each studio staged or published: the newest time in all of its deliveries."""
    staged = stage.newest(CLOCKS)
    published = {studio: newest_time(lake, studio, CLOCKS) for studio in lake.studios}
    told = pl.DataFrame({"studio_id": published.keys(), "newest": published.values()}, schema=staged.schema)
    return pl.concat([staged, told]).group_by("studio_id").agg(pl.col("newest").max()).sort("studio_id")


def following(stage: Stage, lake: Published) -> list[Night]:
    """The published nights that ``stage`` has not and whose edge it changes."""
    staged = stage.partitions()
    nights = []
    for studio in sorted({studio for studio, _ in staged}):
        published = lake.days(studio)
        later = {min((day for day in published if day > delivered), default=None) for of, delivered in staged if of == studio}
        for day in sorted(day for day in later if day is not None and (studio, day) not in staged):
            now, before = edge_before(stage, lake, studio, day), edge_before(None, lake, studio, day)
            if not (_same(now.rounds, before.rounds) and _same(now.meters, before.meters)):
                nights.append((studio, day))
    return nights


def aged(stage: Stage, lake: Published, newest: pl.DataFrame, filed: Filed) -> list[Night]:
    """The published nights that ``stage`` has not, with a round open for longer than filed of which no finding says so yet."""
    waiting = pl.col("is_current") & pl.col("status").is_in(["open", "interrupted"])
    nights = []
    for studio, latest in newest.drop_nulls().iter_rows():
        limits = filed.filings.filter(pl.col("studio_id") == studio).explode("tables").select(
            "effective_from", "effective_to", "open_round_limit_s", table_id="tables"
        )  # fmt: skip
        for day in _unstaged(stage, lake, studio):
            still = rows_of(lake, studio, day, ROUNDS, waiting, ("table_id", "round_id", "dated_at"))
            if still.is_empty():
                continue
            governed = limits.filter(pl.col("effective_from") <= day, pl.col("effective_to").is_null() | (pl.col("effective_to") >= day))
            old = still.join(governed, on="table_id").filter(latest - pl.col("dated_at") > pl.duration(seconds="open_round_limit_s"))
            told = rows_of(lake, studio, day, FINDINGS, pl.col("check_id") == "open_round_aged", ("round_id",))
            if old.join(told, on="round_id", how="anti").height:
                nights.append((studio, day))
    return nights


def gapped(stage: Stage, lake: Published, quarantine: pl.LazyFrame) -> list[Night]:
    """The published nights that ``stage`` has not, with a gap in the sequence of a table of which a record was put into quarantine now."""
    named = (_TABLE.search(raw) for raw in quarantine.select("raw").collect()["raw"])
    tables = sorted({found[1].decode("utf-8", "replace") for found in named if found})
    if not tables:
        return []
    gap = (pl.col("check_id") == "sequence_gap") & pl.col("table_id").is_in(tables)
    nights = [(studio, day) for studio in lake.studios for day in _unstaged(stage, lake, studio)]
    return [night for night in nights if rows_of(lake, *night, FINDINGS, gap, ("check_id",)).height]


def _unstaged(stage: Stage, lake: Published, studio: str) -> list[date]:
    staged = set(stage.partitions())
    return [day for day in lake.days(studio) if (studio, day) not in staged]


def _same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return one.drop(_WHERE).equals(other.drop(_WHERE))
