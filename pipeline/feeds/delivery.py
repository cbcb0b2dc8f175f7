"""A delivery: all files of one command, read once, with the books of each file."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core import schema
from pipeline.core.errors import UntrustworthyError
from pipeline.feeds.balance import UnknownFields
from pipeline.feeds.blocks import BlockReader, ReadLimits
from pipeline.feeds.log_files import log_files
from pipeline.feeds.round_log import RoundLogReader
from pipeline.feeds.spool import QuarantineSpool
from pipeline.feeds.stage import Stage
from pipeline.feeds.staged import ROW_BITS, TELLING
from pipeline.feeds.tellings import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from pipeline.core.times import GamingDay
    from pipeline.feeds.blocks import Block, LongLine
    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.round_log import BlockBooks
    from pipeline.feeds.stage import Piece


@dataclass(frozen=True, slots=True)
class Delivery:
    """What was delivered.

    Args:
        stage: the rounds, by studio and gaming day.
        source_files: a row a file (``schema.SOURCE_FILES``), sorted by name.
        spool: the records that cannot be read.
    """

    stage: Stage
    source_files: pl.DataFrame
    spool: QuarantineSpool

    def quarantine(self) -> pl.LazyFrame:
        """The records that cannot be read (``schema.QUARANTINE``), sorted by file and line."""
        return self.spool.rows()


@dataclass(slots=True)
class _FileBooks:
    name: str
    reader: BlockReader
    blocks: list[int] = field(default_factory=list)
    unknown: UnknownFields = field(default_factory=UnknownFields)
    blank: int = 0
    records: int = 0
    taken: int = 0
    quarantined: int = 0
    other_day: int = 0

    def row(self, repeats: int) -> dict[str, object]:
        if self.records != self.taken + self.quarantined + self.other_day or self.reader.lines != self.records + self.blank:
            raise UntrustworthyError("its records are not conserved", self.name, "report this as a fault of resettle")
        return {
            "source_file": self.name,
            "sha256": self.reader.sha256,
            "bytes": self.reader.size,
            "lines": self.reader.lines,
            "blank": self.blank,
            "records": self.records,
            "accepted": self.taken - repeats,
            "repeats": repeats,
            "quarantined": self.quarantined,
            "other_day": self.other_day,
            "unknown_fields": [{"field": name, "count": count} for name, count in sorted(self.unknown.counts.items())],
        }


def read_delivery(
    paths: Sequence[Path],
    gaming_days: Mapping[str, GamingDay],
    stage_dir: Path,
    *,
    only_day: date | None = None,
    limits: ReadLimits | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    published: Callable[[Sequence[tuple[str, date]]], Iterable[schema.Chunk]] | None = None,
) -> Delivery:
    """Reads all log files of a delivery into a staging area.

    Args:
        paths: files, and folders that are searched for ``.ndjson``, ``.ndjson.gz`` and ``.ndjson.zst``.
        gaming_days: studio to the start of its filed gaming day; the others' days are UTC dates.
        stage_dir: an empty folder, which the caller removes.
        only_day: take in this gaming day only; the records of others are counted.
        limits: sizes of blocks and lines.
        progress: called with a file's name, the bytes read of it and its size.
        published: gives, for the studios and days delivered, what earlier deliveries have published of them.

    Raises:
        InputError: a path does not exist, or an archive is truncated or corrupt.
        UntrustworthyError: the books of a file do not balance.
    """
    limits = limits or ReadLimits()
    stage = Stage(stage_dir / "rounds")
    spool = QuarantineSpool(stage_dir / "quarantine")
    reader = RoundLogReader(gaming_days, limits, only_day)

    def work(block: Block | LongLine, number: int, name: str) -> tuple[BlockBooks, list[Piece], pl.DataFrame | None]:
        books = reader.read(block, number, name)
        if books.frames is None:
            return books, [], None
        written = stage.write(number, books.frames)
        books.frames = None
        return books, *written

    files: list[_FileBooks] = []
    with ThreadPoolExecutor(limits.workers, thread_name_prefix="read") as pool:
        waiting: deque[tuple[_FileBooks, Future[tuple[BlockBooks, list[Piece], pl.DataFrame | None]]]] = deque()

        def settle() -> None:
            file, future = waiting.popleft()
            books, pieces, index = future.result()
            if index is not None:
                stage.note(pieces, index)
            _enter(file, books, spool)

        for number, (file, block) in enumerate(_blocks(log_files(paths), limits, progress, files)):
            file.blocks.append(number)
            waiting.append((file, pool.submit(work, block, number, file.name)))
            if len(waiting) > limits.workers:
                settle()
        while waiting:
            settle()
    spool.close()
    if published is not None:
        for chunk in published(stage.partitions()):
            stage.add_published(chunk)
    return Delivery(stage, _settle_tellings(stage, files), spool)


def _blocks(
    files: Sequence[LogFile], limits: ReadLimits, progress: Callable[[str, int, int], None] | None, books: list[_FileBooks]
) -> Iterator[tuple[_FileBooks, Block | LongLine]]:
    for file in files:
        size = file.path.stat().st_size

        def seen(read: int, name: str = file.name, size: int = size) -> None:
            if progress is not None:
                progress(name, read, size)

        entry = _FileBooks(file.name, BlockReader(file.path, limits, seen))
        books.append(entry)
        for block in entry.reader.blocks():
            yield entry, block


def _enter(file: _FileBooks, books: BlockBooks, spool: QuarantineSpool) -> None:
    file.blank += books.blank
    file.records += books.records
    file.taken += books.taken
    file.other_day += books.other_day
    file.quarantined += len(books.refused)
    file.unknown.add(books.unknown.items())
    spool.add(file.name, books.refused)


def _settle_tellings(stage: Stage, files: Sequence[_FileBooks]) -> pl.DataFrame:
    blocks = [(block, file.name) for file in files for block in file.blocks]
    origin = pl.DataFrame(blocks, schema={"block": pl.Int64, "source_file": pl.String}, orient="row")
    stage.standing = decide(stage, origin)
    repeated = stage.standing.dropped.to_frame().select(block=pl.col(TELLING) // (1 << ROW_BITS)).join(origin, on="block")
    repeats = Counter(repeated["source_file"].to_list())
    return pl.DataFrame([file.row(repeats[file.name]) for file in files], schema=schema.SOURCE_FILES.schema)
