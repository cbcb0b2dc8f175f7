"""What earlier deliveries have published of a studio's gaming day, as chunks to settle again beside what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.schema import CHUNK_TABLES, METERS, ROUNDS, Chunk
from pipeline.lake import manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from pipeline.core.schema import Table
    from pipeline.lake.facts import PartitionFacts


class Published:
    """What a lake shows now.

    Attributes:
        root: its absolute path.
        state: what is current; None where nothing was published yet.
        chain: number of each publish to its manifest.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = manifest.read_state(root)
        self.chain = {one.number: one for one in manifest.chain(root, self.state)}

    def partitions(self, studio_id: str) -> list[manifest.Key]:
        """The studio's gaming days that are current."""
        return [key for key in self.state.partitions if key.studio_id == studio_id] if self.state else []

    def facts(self, studio_id: str, gaming_day: date) -> PartitionFacts | None:
        """What is on record of a current partition; None where it was never published."""
        for key in self.partitions(studio_id):
            if key.gaming_day == gaming_day:
                return next(one for one in self.chain[key.number].partitions if (one.studio_id, one.gaming_day) == (studio_id, gaming_day))
        return None


def published_chunks(lake: Published, studio_id: str, gaming_day: date, target_wagers: int = 500_000) -> Iterator[Chunk]:
    """The current files of a partition, whole rounds at a time; nothing where it was never published.

    Args:
        lake: the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        target_wagers: about how many wagers a chunk holds.
    """
    files = _files(lake, studio_id, gaming_day)
    if "rounds" not in files:
        return
    counts = (
        pl.scan_parquet(files["wagers"]).group_by("round_key").len()
        if "wagers" in files
        else pl.LazyFrame(schema={"round_key": pl.Int64, "len": pl.UInt32})
    )
    rounds = pl.scan_parquet(files["rounds"]).select("round_key").join(counts, on="round_key", how="left")
    numbered = rounds.sort("round_key").with_columns(part=pl.col("len").fill_null(0).cast(pl.Int64).cum_sum() // target_wagers)
    spans = (
        numbered.group_by("part")
        .agg(first=pl.col("round_key").min(), last=pl.col("round_key").max())
        .sort("part")
        .collect(engine="streaming")
    )
    for first, last in spans.select("first", "last").iter_rows():
        yield Chunk(**{table.name: _rows(files, table, pl.col("round_key").is_between(first, last)) for table in CHUNK_TABLES})


def last_published_day(lake: Published, studio_id: str, before: date) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The current rounds of the studio's last published gaming day before a date, and their meters.

    Returns:
        ``schema.ROUNDS`` and ``schema.METERS``; no row where nothing was published before that date.
    """
    days = [key.gaming_day for key in lake.partitions(studio_id) if key.gaming_day < before]
    files = _files(lake, studio_id, max(days)) if days else {}
    return _rows(files, ROUNDS, pl.col("is_current")), _rows(files, METERS, pl.col("is_current"))


def _files(lake: Published, studio_id: str, gaming_day: date) -> dict[str, Path]:
    facts = lake.facts(studio_id, gaming_day)
    return {} if facts is None else {name: lake.root / table.file for name, table in facts.tables.items() if table.file}


def _rows(files: dict[str, Path], table: Table, wanted: pl.Expr) -> pl.DataFrame:
    if table.name not in files:
        return table.empty()
    return pl.scan_parquet(files[table.name], glob=False).filter(wanted).select(table.schema.names()).collect()
