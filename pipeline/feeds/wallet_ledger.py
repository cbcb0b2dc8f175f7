"""A wallet ledger: all files of it read once into a staging folder, with the books of each file."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pipeline.core.errors import InputError, UntrustworthyError
from pipeline.core.schema import SOURCE_FILES
from pipeline.core.wallet import ENTRY
from pipeline.feeds.balance import UnknownFields
from pipeline.feeds.blocks import Block, BlockReader, LongLine, ReadLimits
from pipeline.feeds.log_files import log_files, sha256_of
from pipeline.feeds.spool import QuarantineSpool
from pipeline.feeds.strict import Refused, too_long
from pipeline.feeds.wallet_lines import CsvLedger, NdjsonLedger
from pipeline.feeds.wallet_parquet import ParquetLedger
from pipeline.feeds.wallet_profile import WalletProfile
from pipeline.feeds.wallet_record import PLACE, entries

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.wallet_lines import LineReader

LEDGER_SUFFIXES: Final = (".ndjson", ".ndjson.gz", ".ndjson.zst", ".csv", ".csv.gz", ".csv.zst", ".parquet")


@dataclass(slots=True)
class _Read:
    """What became of a piece of a file."""

    refused: list[Refused] = field(default_factory=list)
    taken: int = 0
    blank: int = 0
    unknown: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _FileBooks:
    name: str
    sha256: str = ""
    size: int = 0
    lines: int = 0
    header: int = 0
    blank: int = 0
    taken: int = 0
    quarantined: int = 0
    unknown: UnknownFields = field(default_factory=UnknownFields)

    def row(self, repeats: int, other_day: int) -> dict[str, object]:
        records = self.lines - self.blank - self.header
        if records != self.taken + self.quarantined:
            raise UntrustworthyError("its records are not conserved", self.name, "report this as a fault of resettle")
        return {
            "source_file": self.name, "sha256": self.sha256, "bytes": self.size, "lines": self.lines, "blank": self.blank,
            "records": records, "accepted": self.taken - repeats - other_day, "repeats": repeats, "quarantined": self.quarantined,
            "other_day": other_day,
            "unknown_fields": [{"field": name, "count": count} for name, count in sorted(self.unknown.counts.items())],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was read of a ledger.

    Args:
        pieces: Parquet files with its entries (``core.wallet.ENTRY``).
        spool: the records that cannot be read.
    """

    pieces: tuple[Path, ...]
    spool: QuarantineSpool
    _books: tuple[_FileBooks, ...]

    def source_files(self, repeats: Mapping[str, int], other_day: Mapping[str, int]) -> pl.DataFrame:
        """A row a file (``schema.SOURCE_FILES``), sorted by name.

        Args:
            repeats: file to the number of its entries that repeat another.
            other_day: file to the number of its entries of a gaming day that was not asked for.

        Raises:
            UntrustworthyError: the books of a file do not balance.
        """
        rows = [books.row(repeats.get(books.name, 0), other_day.get(books.name, 0)) for books in self._books]
        return pl.DataFrame(rows, schema=SOURCE_FILES.schema).sort("source_file")


def ledger_files(paths: Sequence[Path], taken: Collection[str] = ()) -> list[LogFile]:
    """The ledger files under ``paths``, each once, in the order of their names.

    Args:
        paths: files and folders.
        taken: names that the round logs bear already; a ledger's file of that name is called ``wallet/<name>``.

    Raises:
        InputError: a path does not exist, or is no ledger.
    """
    if not paths:
        return []
    files = log_files(paths, LEDGER_SUFFIXES)
    return [type(file)(file.path, f"wallet/{file.name}" if file.name in taken else file.name) for file in files]


def read_ledger(
    files: Sequence[LogFile],
    folder: Path,
    profile: WalletProfile | None = None,
    *,
    limits: ReadLimits | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    pseudonyms: Pseudonyms | None = None,
) -> Ledger:
    """Reads the files of a ledger into a staging folder.

    Args:
        files: see ``ledger_files``.
        folder: an empty folder, which the caller removes.
        profile: how it differs from ``wallet-ledger/1``.
        limits: sizes of blocks and lines.
        progress: called with a file's name, the bytes read of it and its size.
        pseudonyms: what stands in place of player ids; None: these stay.

    Raises:
        InputError: a file cannot be read at all, or lacks a column.
    """
    limits, profile = limits or ReadLimits(), profile or WalletProfile()
    folder.mkdir(parents=True, exist_ok=True)
    spool = QuarantineSpool(folder / "quarantine", pseudonyms)
    books: list[_FileBooks] = []
    reading = _Reading(folder, profile, limits, progress or (lambda *_: None), pseudonyms)
    waiting: deque[tuple[_FileBooks, Future[_Read]]] = deque()

    def settle() -> None:
        file, future = waiting.popleft()
        read = future.result()
        file.taken, file.blank, file.quarantined = file.taken + read.taken, file.blank + read.blank, file.quarantined + len(read.refused)
        file.unknown.add(read.unknown.items())
        spool.add(file.name, sorted(read.refused, key=lambda one: one.line))

    with ThreadPoolExecutor(limits.workers, thread_name_prefix="wallet") as pool:
        for file in files:
            entry = _FileBooks(file.name)
            books.append(entry)
            for work in reading.pieces(file, entry):
                waiting.append((entry, pool.submit(work)))
                if len(waiting) > limits.workers:
                    settle()
        while waiting:
            settle()
    spool.close()
    return Ledger(tuple(sorted(folder.glob("*.parquet"))), spool, tuple(books))


class _Reading:
    """Cuts files into pieces of work; each writes its entries into a file of its own."""

    def __init__(
        self,
        folder: Path,
        profile: WalletProfile,
        limits: ReadLimits,
        progress: Callable[[str, int, int], None],
        pseudonyms: Pseudonyms | None,
    ) -> None:
        self._folder = folder
        self._profile = profile
        self._limits = limits
        self._progress = progress
        self._pseudonyms = pseudonyms
        self._number = 0

    def pieces(self, file: LogFile, books: _FileBooks) -> Iterator[Callable[[], _Read]]:
        if file.path.name.lower().endswith(".parquet"):
            yield from self._of_rows(file, books)
        else:
            yield from self._of_lines(file, books)

    def _of_rows(self, file: LogFile, books: _FileBooks) -> Iterator[Callable[[], _Read]]:
        ledger = ParquetLedger(file.path, self._profile)
        books.unknown.add((name, ledger.rows) for name in ledger.unknown)
        for first, texts in ledger.batches():
            yield partial(self._rows, texts, first, file.name, self._next())
        books.sha256, books.size, books.lines = sha256_of(file.path), file.path.stat().st_size, ledger.rows

    def _of_lines(self, file: LogFile, books: _FileBooks) -> Iterator[Callable[[], _Read]]:
        size = file.path.stat().st_size
        blocks = BlockReader(file.path, self._limits, lambda read: self._progress(file.name, read, size))
        is_csv = ".csv" in file.path.suffixes or file.path.name.lower().endswith((".csv", ".csv.gz", ".csv.zst"))
        reader: LineReader | None = None if is_csv else NdjsonLedger(self._profile, self._limits)
        for block in blocks.blocks():
            if isinstance(block, LongLine):
                refused = Refused(block.line, block.offset, too_long(block.size, self._limits), block.head)
                yield partial(_Read, [refused])
                continue
            if reader is None:
                reader = CsvLedger(self._profile, block.data.partition(b"\n")[0], file.name)
                books.header = 1
            yield partial(self._lines, reader, block, file.name, self._next())
        if is_csv and reader is None:
            raise InputError("is empty", file.name, "its first line must name the columns")
        books.sha256, books.size, books.lines = blocks.sha256, blocks.size, blocks.lines

    def _next(self) -> Path:
        self._number += 1
        return self._folder / f"{self._number:08d}.parquet"

    def _lines(self, reader: LineReader, block: Block, name: str, path: Path) -> _Read:
        read = reader.read(block)
        found = entries(read.texts, self._profile)
        self._write(found.frame, block.first_line, name, path)
        refused = read.refused + [Refused(block.first_line + place, -1, why, read.lines[place]) for place, why in found.refused]
        if refused:
            offsets = list(accumulate((len(line) + 1 for line in read.lines), initial=block.offset))
            refused = [Refused(one.line, offsets[one.line - block.first_line], one.reason, one.raw) for one in refused]
        return _Read(refused, found.frame.height, read.blank, read.unknown)

    def _rows(self, texts: pl.DataFrame, first: int, name: str, path: Path) -> _Read:
        found = entries(texts, self._profile)
        self._write(found.frame, first, name, path)
        refused = [Refused(first + place, 0, why, _raw(texts.row(place, named=True))) for place, why in found.refused]
        return _Read(refused, found.frame.height)

    def _write(self, frame: pl.DataFrame, first: int, name: str, path: Path) -> None:
        if frame.is_empty():
            return
        sourced = frame.with_columns(pl.lit(name).alias("source_file"), (pl.col(PLACE) + first).alias("source_line"))
        if self._pseudonyms is not None:
            sourced = sourced.with_columns(self._pseudonyms.of(sourced["player_id"]))
        sourced.select(pl.col(column).cast(kind) for column, kind in ENTRY.schema.items()).write_parquet(path, compression="lz4")


def _raw(row: dict[str, Any]) -> bytes:
    return json.dumps({name: value for name, value in row.items() if name != PLACE and value is not None}, ensure_ascii=False).encode()
