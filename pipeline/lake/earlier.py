"""What earlier deliveries have published of a studio's gaming day, as chunks to settle again beside what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.core.schema import CHUNK_TABLES, CHUNK_WAGERS, METERS, ROUNDS, Chunk
from pipeline.lake import manifest
from pipeline.lake.lookback import look_back
from pipeline.lake.working_copy import brought

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from pipeline.core.schema import Table
    from pipeline.lake.facts import Lookback, PartitionFacts


_Nights = dict[str, dict["date", tuple[int, "PartitionFacts"]]]


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
        self._nights: tuple[manifest.State | None, _Nights] = (None, {})
        self._worked_out: dict[tuple[str, date, int], Lookback] = {}

    @property
    def studios(self) -> list[str]:
        """The studios of which something is current, in order."""
        return sorted(self._current())

    @property
    def key_fingerprint(self) -> str | None:
        """Of the key of the pseudonyms that it holds in place of player ids; None where these stand as delivered."""
        return self.chain[self.state.number].key_fingerprint if self.state else None

    def partitions(self, studio_id: str) -> list[manifest.Key]:
        """The studio's gaming days that are current."""
        return [key for key in self.state.partitions if key.studio_id == studio_id] if self.state else []

    def number(self, studio_id: str, gaming_day: date) -> int | None:
        """The publish that a current partition came with; None where it was never published."""
        found = self._current().get(studio_id, {}).get(gaming_day)
        return found[0] if found else None

    def days(self, studio_id: str) -> list[date]:
        """The studio's gaming days that are current and hold rounds, in order."""
        nights = self._current().get(studio_id, {})
        return [day for day, (_, facts) in nights.items() if "rounds" in facts.tables and facts.tables["rounds"].rows]

    def facts(self, studio_id: str, gaming_day: date) -> PartitionFacts | None:
        """What is on record of a current partition; None where it was never published."""
        found = self._current().get(studio_id, {}).get(gaming_day)
        return found[1] if found else None

    def lookback(self, studio_id: str, gaming_day: date) -> Lookback:
        """What a later delivery asks of a current partition; worked out from its files where an older version published it."""
        number, facts = self._current()[studio_id][gaming_day]
        if facts.lookback is not None:
            return facts.lookback
        key = (studio_id, gaming_day, number)
        if key not in self._worked_out:
            self._worked_out[key] = look_back(_files(self, studio_id, gaming_day, (ROUNDS, FINDINGS)))
        return self._worked_out[key]

    def _current(self) -> _Nights:
        """Studio to gaming day, in order, to the number of the publish and what is on record."""
        if self._nights[0] is not self.state:
            keys = self.state.partitions if self.state else []
            parts = {number: manifest.by_day(self.chain[number]) for number in {key.number for key in keys}}
            nights: _Nights = {}
            for key in keys:
                nights.setdefault(key.studio_id, {})[key.gaming_day] = (key.number, parts[key.number][key.studio_id, key.gaming_day])
            self._nights = (self.state, nights)
        return self._nights[1]


def published_chunks(lake: Published, studio_id: str, gaming_day: date, target_wagers: int = CHUNK_WAGERS) -> Iterator[Chunk]:
    """The current files of a partition, whole rounds at a time; nothing where it was never published.

    Args:
        lake: the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        target_wagers: about how many wagers a chunk holds.
    """
    files = _files(lake, studio_id, gaming_day, CHUNK_TABLES)
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
    files, wanted = _files(lake, studio_id, gaming_day, CHUNK_TABLES), pl.col("round_id").is_in(list(round_ids))
    return Chunk(**{table.name: _rows(files, table, wanted) for table in CHUNK_TABLES})


def last_published_day(lake: Published, studio_id: str, before: date) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The current rounds of the studio's last published gaming day before a date, and their meters.

    Returns:
        ``schema.ROUNDS`` and ``schema.METERS``; no row where nothing was published before that date.
    """
    days = [day for day in lake.days(studio_id) if day < before]
    files = _files(lake, studio_id, max(days), (ROUNDS, METERS)) if days else {}
    return _rows(files, ROUNDS, pl.col("is_current")), _rows(files, METERS, pl.col("is_current"))


def _files(lake: Published, studio_id: str, gaming_day: date, tables: Iterable[Table]) -> dict[str, Path]:
    """Where these tables of a current partition lie; those without a row are left out."""
    facts = lake.facts(studio_id, gaming_day)
    held = {} if facts is None else {table.name: facts.tables[table.name] for table in tables if table.name in facts.tables}
    return {name: brought(lake.root, one) for name, one in held.items() if one.file}


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
    return _rows(_files(lake, studio_id, gaming_day, (table,)), table, pl.lit(value=True) if wanted is None else wanted, columns)


def days_holding(lake: Published, studio_id: str, days: Iterable[date], rounds: pl.DataFrame, told_as: pl.Expr) -> list[date]:
    """Of these gaming days, those on which a telling of one of these rounds is published.

    Args:
        lake: the lake.
        studio_id: the studio.
        days: its gaming days to look into.
        rounds: one column that identifies the rounds.
        told_as: what makes the same of ``studio_id`` and ``round_id``.
    """
    found = []
    for day in days:
        told = pl.scan_parquet(_files(lake, studio_id, day, (ROUNDS,))["rounds"], glob=False).select(told_as)
        if told.join(rounds.lazy(), on=rounds.columns, how="semi").head(1).collect(engine="streaming").height:
            found.append(day)
    return found


def delivered_rows(lake: Published, table: Table, only: Collection[int] | None = None) -> pl.LazyFrame:
    """What is current of ``schema.QUARANTINE`` or ``schema.SOURCE_FILES``: of a file read twice, what the later run says.

    Args:
        lake: the lake.
        table: which of the two.
        only: what came with these publishes; null: with any.
    """
    found = [table.empty().lazy()]
    again = set(manifest.read_again(lake.state, lake.chain)) if lake.state is not None else set()
    for number in lake.state.deliveries if lake.state is not None else ():
        one = lake.chain[number]
        if (only is None or number in only) and (facts := one.delivery.get(table.name)) is not None and facts.file is not None:
            gone = [name for run_id, name in again if run_id == one.run_id]
            rows = pl.scan_parquet(brought(lake.root, facts), glob=False).filter(~pl.col("source_file").is_in(gone))
            found.append(rows.select(table.schema.names()))
    return pl.concat(found)
