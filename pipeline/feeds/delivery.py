"""A delivery: all files of one command, read once, with the books of each file."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core import schema
from pipeline.core.errors import UntrustworthyError
from pipeline.feeds.balance import UnknownFields
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.formats import open_sources
from pipeline.feeds.inputs import delivered_files
from pipeline.feeds.intake import Intake
from pipeline.feeds.reader import Context
from pipeline.feeds.spool import QuarantineSpool
from pipeline.feeds.stage import Stage
from pipeline.feeds.staged import ROW_BITS, TELLING
from pipeline.feeds.tellings import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date
    from pathlib import Path

    from pipeline.core.times import GamingDay
    from pipeline.feeds.intake import BlockBooks
    from pipeline.feeds.profile import Profile
    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.reader import FileFacts, Source
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
        return self.spool.rows().sort("source_file", "source_line", maintain_order=True)


@dataclass(slots=True)
class _FileBooks:
    unknown: UnknownFields = field(default_factory=UnknownFields)
    blank: int = 0
    records: int = 0
    taken: int = 0
    quarantined: int = 0
    other_day: int = 0
    rows: list[pl.DataFrame] = field(default_factory=list)

    def enter(self, books: BlockBooks) -> None:
        self.blank += books.blank
        self.records += books.records
        self.taken += books.taken
        self.other_day += books.other_day
        self.quarantined += len(books.refused)
        self.unknown.add(books.unknown.items())
        if books.rows is not None:
            self.rows.append(books.rows)

    def repeats(self, dropped: pl.DataFrame) -> int:
        """How many records stand in tellings that repeat another, where a telling is not just one of them."""
        return sum(int(rows.join(dropped, on=TELLING, how="semi")["rows"].sum()) for rows in self.rows)

    def row(self, file: FileFacts, repeats: int) -> dict[str, object]:
        if self.records != self.taken + self.quarantined + self.other_day or file.lines != self.records + self.blank:
            raise UntrustworthyError("its records are not conserved", file.name, "report this as a fault of resettle")
        return {
            "source_file": file.name,
            "sha256": file.sha256,
            "bytes": file.size,
            "lines": file.lines,
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
    profile: Profile | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    published: Callable[[Stage], Iterable[schema.Chunk]] | None = None,
    opened: Callable[[Context], Sequence[Source]] | None = None,
    pseudonyms: Pseudonyms | None = None,
    only: AbstractSet[str] | None = None,
) -> Delivery:
    """Reads all inputs of a delivery into a staging area, each by the reader of its format.

    Args:
        paths: files and folders (``pipeline.feeds.inputs``).
        gaming_days: studio to the start of its filed gaming day; the others' days are UTC dates.
        stage_dir: an empty folder, which the caller removes.
        only_day: take in this gaming day only; the records of others are counted.
        limits: sizes of blocks and lines.
        profile: what a format needs to be told of the feed.
        progress: called with a file's name, the bytes read of it and its size.
        published: gives, for the rounds staged, what earlier deliveries have published of their days, and of the days on which they
            stand otherwise.
        opened: gives the inputs, where they are no files: ``paths`` is empty then.
        pseudonyms: what stands in place of player ids; None: these stay.
        only: names of the files to read; None: all. Flat tables of one folder are read together.

    Raises:
        InputError: a path does not exist or is of no known format, or an archive is truncated or corrupt.
        UntrustworthyError: the books of a file do not balance.
    """
    limits = limits or ReadLimits()
    stage = Stage(stage_dir / "rounds")
    spool = QuarantineSpool(stage_dir / "quarantine", pseudonyms)
    context = Context(Intake(gaming_days, only_day, pseudonyms=pseudonyms), limits, stage_dir / "tables", profile)
    sources = open_sources(paths, context, only) if opened is None else opened(context)
    sizes = {file.name: file.path.stat().st_size for file in delivered_files(paths)} if opened is None else {}

    def seen(name: str, done: int) -> None:
        if progress is not None:
            progress(name, done, sizes[name])

    pieces = ((source, piece) for source in sources for piece in source.pieces(seen))
    files, origin = _read_all(pieces, stage, spool, limits.workers)
    if published is not None:
        for chunk in published(stage):
            stage.add_published(chunk)
    read_files = sorted((facts for source in sources for facts in source.files()), key=lambda facts: facts.name)
    return Delivery(stage, _settle_tellings(stage, origin, read_files, files), spool)


def _read_all(
    pieces: Iterable[tuple[Source, Any]], stage: Stage, spool: QuarantineSpool, workers: int
) -> tuple[dict[str, _FileBooks], list[tuple[int, str]]]:
    """Reads the pieces in several threads; returns the books of each file, and of each piece the file that its rounds stand in."""

    def work(source: Source, piece: Any, number: int) -> tuple[list[BlockBooks], list[tuple[list[Piece], pl.DataFrame]]]:
        read = source.read(piece, number)
        written = [stage.write(number, books.frames) for books in read if books.frames is not None]
        for books in read:
            books.frames = None
        return read, written

    files: dict[str, _FileBooks] = defaultdict(_FileBooks)
    origin: list[tuple[int, str]] = []
    with ThreadPoolExecutor(workers, thread_name_prefix="read") as pool:
        waiting: deque[Future[tuple[list[BlockBooks], list[tuple[list[Piece], pl.DataFrame]]]]] = deque()

        def settle() -> None:
            read, written = waiting.popleft().result()
            for entries, index in written:
                stage.note(entries, index)
            for books in read:
                files[books.source_file].enter(books)
                spool.add(books.source_file, books.refused)

        for number, (source, piece) in enumerate(pieces):
            origin.append((number, source.name))
            waiting.append(pool.submit(work, source, piece, number))
            if len(waiting) > workers:
                settle()
        while waiting:
            settle()
    spool.close()
    return files, origin


def _settle_tellings(
    stage: Stage, blocks: Sequence[tuple[int, str]], read: Sequence[FileFacts], files: Mapping[str, _FileBooks]
) -> pl.DataFrame:
    origin = pl.DataFrame(blocks, schema={"block": pl.Int64, "source_file": pl.String}, orient="row")
    stage.standing = decide(stage, origin)
    dropped = stage.standing.dropped.to_frame()
    repeated = dropped.select(block=pl.col(TELLING) // (1 << ROW_BITS)).join(origin, on="block")
    repeats = Counter(repeated["source_file"].to_list())
    rows = [files[one.name].row(one, repeats[one.name] + files[one.name].repeats(dropped)) for one in read]
    return pl.DataFrame(rows, schema=schema.SOURCE_FILES.schema)
