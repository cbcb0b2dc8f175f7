"""What earlier deliveries have published of a studio's gaming day, as chunks to settle again beside what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pyarrow.parquet as pq

from pipeline.core.schema import CHUNK_TABLES, METERS, ROUNDS, Chunk
from pipeline.lake import manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime
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

    @property
    def studios(self) -> list[str]:
        """The studios of which something is current, in order."""
        return sorted({key.studio_id for key in self.state.partitions}) if self.state else []

    @property
    def key_fingerprint(self) -> str | None:
        """Of the key of the pseudonyms that it holds in place of player ids; None where these stand as delivered."""
        return self.chain[self.state.number].key_fingerprint if self.state else None

    def partitions(self, studio_id: str) -> list[manifest.Key]:
        """The studio's gaming days that are current."""
        return [key for key in self.state.partitions if key.studio_id == studio_id] if self.state else []

    def number(self, studio_id: str, gaming_day: date) -> int | None:
        """The publish that a current partition came with; None where it was never published."""
        return next((key.number for key in self.partitions(studio_id) if key.gaming_day == gaming_day), None)

    def days(self, studio_id: str) -> list[date]:
        """The studio's gaming days that are current and hold rounds, in order."""
        held = {key.gaming_day: self.facts(studio_id, key.gaming_day) for key in self.partitions(studio_id)}
        return sorted(day for day, facts in held.items() if facts is not None and "rounds" in facts.tables and facts.tables["rounds"].rows)

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


def published_rounds(lake: Published, studio_id: str, gaming_day: date, round_ids: Sequence[str]) -> Chunk:
    """These rounds of a partition with every telling of them that is published there, by the keys that they have there.

    Args:
        lake: the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        round_ids: the rounds.
    """
    files, wanted = _files(lake, studio_id, gaming_day), pl.col("round_id").is_in(list(round_ids))
    return Chunk(**{table.name: _rows(files, table, wanted) for table in CHUNK_TABLES})


def last_published_day(lake: Published, studio_id: str, before: date) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The current rounds of the studio's last published gaming day before a date, and their meters.

    Returns:
        ``schema.ROUNDS`` and ``schema.METERS``; no row where nothing was published before that date.
    """
    days = [day for day in lake.days(studio_id) if day < before]
    files = _files(lake, studio_id, max(days)) if days else {}
    return _rows(files, ROUNDS, pl.col("is_current")), _rows(files, METERS, pl.col("is_current"))


def _files(lake: Published, studio_id: str, gaming_day: date) -> dict[str, Path]:
    facts = lake.facts(studio_id, gaming_day)
    return {} if facts is None else {name: lake.root / table.file for name, table in facts.tables.items() if table.file}


def _rows(files: dict[str, Path], table: Table, wanted: pl.Expr, columns: Sequence[str] | None = None) -> pl.DataFrame:
    shown = table.schema.names() if columns is None else columns
    if table.name not in files:
        return table.empty().select(shown)
    return pl.scan_parquet(files[table.name], glob=False).filter(wanted).select(shown).collect()


def rows_of(
    lake: Published,
    studio_id: str,
    gaming_day: date,
    table: Table,
    wanted: pl.Expr | None = None,
    columns: Sequence[str] | None = None,
) -> pl.DataFrame:
    """The current rows of a partition's table; none where it was never published.

    Args:
        lake: the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        table: which table.
        wanted: which of its rows; null: all.
        columns: which of its columns; null: all. No other is read.
    """
    return _rows(_files(lake, studio_id, gaming_day), table, pl.lit(value=True) if wanted is None else wanted, columns)


def days_holding(lake: Published, studio_id: str, rounds: pl.DataFrame, told_as: pl.Expr) -> list[date]:
    """The studio's gaming days on which a telling of one of these rounds is published.

    Goes through the round ids of all the studio's days, a column that it never holds whole.

    Args:
        lake: the lake.
        studio_id: the studio.
        rounds: one column that identifies the rounds.
        told_as: what makes the same of ``studio_id`` and ``round_id``.
    """
    found = []
    for day in lake.days(studio_id):
        told = pl.scan_parquet(_files(lake, studio_id, day)["rounds"], glob=False).select(told_as)
        if told.join(rounds.lazy(), on=rounds.columns, how="semi").head(1).collect(engine="streaming").height:
            found.append(day)
    return found


def newest_time(lake: Published, studio_id: str, clocks: Sequence[str]) -> datetime | None:
    """The newest time in the studio's published rounds over these columns, from the statistics of their files."""
    newest: list[datetime] = []
    for day in lake.days(studio_id):
        facts = pq.read_metadata(_files(lake, studio_id, day)["rounds"])
        places = [at for at in range(facts.num_columns) if facts.schema.column(at).path in clocks]
        told = [facts.row_group(group).column(at).statistics for group in range(facts.num_row_groups) for at in places]
        newest += [one.max for one in told if one is not None and one.has_min_max]
    return max(newest, default=None)


def delivered_rows(lake: Published, table: Table, only: int | None = None) -> pl.LazyFrame:
    """What is current of ``schema.QUARANTINE`` or ``schema.SOURCE_FILES``: of a file read twice, what the later run says.

    Args:
        lake: the lake.
        table: which of the two.
        only: what came with this publish; null: with any.
    """
    found = [table.empty().lazy()]
    again = set(manifest.read_again(lake.state, lake.chain)) if lake.state is not None else set()
    for number in lake.state.deliveries if lake.state is not None else ():
        one = lake.chain[number]
        if only in {None, number} and (facts := one.delivery.get(table.name)) is not None and facts.file is not None:
            gone = [name for run_id, name in again if run_id == one.run_id]
            rows = pl.scan_parquet(lake.root / facts.file, glob=False).filter(~pl.col("source_file").is_in(gone))
            found.append(rows.select(table.schema.names()))
    return pl.concat(found)
