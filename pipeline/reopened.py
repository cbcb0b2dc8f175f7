"""Which published nights a delivery re-opens, beside those whose rounds it brings.

- Where a round that it brings stands on another gaming day: there its telling may no longer be current.
- The studio's next night, where the edge that its checks look back on has changed (``pipeline.edges``).
- Nights with a round that is still open and has aged, now that the studio's deliveries go on for longer.
- Nights with a gap in a table's sequence, where a record of that table was put into quarantine: the gap's finding says so.

These nights are settled again as they stand in the lake, by the filings of the run. Which they are is told by the index of rounds
(``pipeline.lake.round_days``) and by what each night's manifest keeps for it (``pipeline.lake.lookback``): only nights of which that says
something are looked into, so the work does not grow with the lake.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.core.schema import ROUNDS
from pipeline.edges import edge_before
from pipeline.feeds.staged import round_hash
from pipeline.lake.earlier import days_holding, rows_of
from pipeline.lake.lookback import CLOCKS, still_open
from pipeline.lake.round_days import nights_telling

if TYPE_CHECKING:
    from datetime import date

    from pipeline.core.filed import Filed
    from pipeline.feeds.stage import Stage
    from pipeline.lake.earlier import Published

Night = tuple[str, "date"]
"""A studio and a gaming day."""

_TABLE: Final = re.compile(rb'"table_id"\s*:\s*"([^"]*)"')
_WHERE: Final = ("round_key", "source_file", "source_line")


def holding(stage: Stage, lake: Published) -> list[Night]:
    """The published nights that hold a telling of a round in ``stage``, and those that ``stage`` has rounds of."""
    staged = set(stage.partitions())
    delivered = stage.index().select("round_hash").unique()
    told = nights_telling(lake, delivered, round_hash()) - staged
    nights = []
    for studio in sorted({studio for studio, _ in staged}):
        days = lake.days(studio)
        holds = set(days_holding(lake, studio, [day for day in days if (studio, day) in told], delivered, round_hash()))
        nights += [(studio, day) for day in days if day in holds or (studio, day) in staged]
    return nights


def newest_times(stage: Stage, lake: Published) -> pl.DataFrame:
    """``studio_id, newest`` of each studio staged or published: the newest time in all of its deliveries."""
    staged = stage.newest(CLOCKS)
    told = [(studio, lake.lookback(studio, day).newest) for studio in lake.studios for day in lake.days(studio)]
    published = pl.DataFrame(told, schema=staged.schema, orient="row")
    return pl.concat([staged, published]).group_by("studio_id").agg(pl.col("newest").max()).sort("studio_id")


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
    nights = []
    for studio, latest in newest.drop_nulls().iter_rows():
        limits = filed.filings.filter(pl.col("studio_id") == studio).explode("tables").select(
            "effective_from", "effective_to", "open_round_limit_s", table_id="tables"
        )  # fmt: skip
        for day in (day for day in _unstaged(stage, lake, studio) if lake.lookback(studio, day).waiting):
            still = rows_of(lake, studio, day, ROUNDS, still_open(), ("table_id", "round_id", "dated_at"))
            governed = limits.filter(pl.col("effective_from") <= day, pl.col("effective_to").is_null() | (pl.col("effective_to") >= day))
            old = still.join(governed, on="table_id").filter(latest - pl.col("dated_at") > pl.duration(seconds="open_round_limit_s"))
            told = rows_of(lake, studio, day, FINDINGS, pl.col("check_id") == "open_round_aged", ("round_id",))
            if old.join(told, on="round_id", how="anti").height:
                nights.append((studio, day))
    return nights


def gapped(stage: Stage, lake: Published, quarantine: pl.LazyFrame) -> list[Night]:
    """The published nights that ``stage`` has not, with a gap in the sequence of a table of which a record was put into quarantine now."""
    named = (_TABLE.search(raw) for raw in quarantine.select("raw").collect()["raw"])
    tables = {found[1].decode("utf-8", "replace") for found in named if found}
    nights = [(studio, day) for studio in lake.studios for day in _unstaged(stage, lake, studio)] if tables else []
    return [night for night in nights if not tables.isdisjoint(lake.lookback(*night).gaps)]


def _unstaged(stage: Stage, lake: Published, studio: str) -> list[date]:
    staged = set(stage.partitions())
    return [day for day in lake.days(studio) if (studio, day) not in staged]


def _same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return one.drop(_WHERE).equals(other.drop(_WHERE))
