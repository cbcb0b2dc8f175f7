"""Reads folders of flat tables: ``rounds, hands, card_readings, participants, wagers, voids, displayed, meters`` as CSV or Parquet.

A record is a row, and a round is taken in whole or not at all: a row that cannot be read puts every row of its round into quarantine,
and a row whose round does not exist goes there alone. What belongs together lies far apart in such a delivery, so the rows are first
dealt into parts by their round, each small enough to be held.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import InputError
from pipeline.feeds.intake import BlockBooks
from pipeline.feeds.staged import TELLING
from pipeline.feeds.strict import Refused
from pipeline.feeds.table_columns import COLUMNS, KEY
from pipeline.feeds.table_files import TableFile
from pipeline.feeds.table_records import Gathered, gather

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.reader import Context, FileFacts

NAME: Final = "tables"

_NEEDED: Final = ("rounds", "participants", "wagers")
_PART_BLOCKS: Final = 8
_UNPACKED: Final = 8
_MOST_PARTS: Final = 256
_PLACE: Final = ("row", "offset", "raw", "fault")


class TablesReader:
    """Opens folders of tables.

    Args:
        context: where the records go, a folder to spill into, and the feed's profile.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._opened = 0

    def open(self, files: Sequence[LogFile]) -> Folder:
        """One folder.

        Raises:
            InputError: a table is missing without which no round is whole.
        """
        self._opened += 1
        return Folder(files, self._context, self._opened)


@dataclass(slots=True)
class Part:
    """Some rounds with all that belongs to them.

    Args:
        number: which of the folder's parts.
        books: what is known of the files beside their rows; with the first part only.
    """

    number: int
    books: list[BlockBooks] = field(default_factory=list)


class Folder:
    """A folder of tables as one input of a delivery (``pipeline.feeds.reader.Source``).

    Args:
        files: its files, ``rounds`` first.
        context: see ``TablesReader``.
        number: which folder of the delivery.
    """

    def __init__(self, files: Sequence[LogFile], context: Context, number: int) -> None:
        profile = context.profile if context.profile is not None and context.profile.format == NAME else None
        self._cards = None if profile is None else profile.cards
        studio_id = None if profile is None else profile.studio_id
        self._files = {one.table: one for one in (TableFile(file, context.limits, studio_id) for file in files)}
        self.name = files[0].name
        if missing := [name for name in _NEEDED if name not in self._files]:
            raise InputError(f"the table {', '.join(missing)} is missing beside it", self.name, "deliver the folder whole")
        self._context = context
        self._spill = context.spill / str(number)
        self._held: dict[tuple[int, str], list[pl.DataFrame]] = {}
        self._spilled: Counter[tuple[int, str]] = Counter()
        weights = [file.path.stat().st_size * (1 if file.path.suffix.lower() == ".csv" else _UNPACKED) for file in files]
        self._part_bytes = context.limits.block_bytes * _PART_BLOCKS
        self._parts = min(_MOST_PARTS, sum(weights) // self._part_bytes + 1)

    def pieces(self, seen: Callable[[str, int], None]) -> Iterator[Part]:
        """The parts, once all tables have been read."""
        size = 0
        for one in self._files.values():
            for frame in one.frames(seen):
                for number, rows in self._dealt(frame):
                    self._held.setdefault((number, one.table), []).append(rows)
                    size += int(rows.estimated_size())
                if self._parts > 1 and size > self._part_bytes:
                    self._write_out()
                    size = 0
        self._intake = self._context.intake.reading(self._context.zone(NAME), self._lacks())
        yield Part(0, [_books_beside(one) for one in self._files.values()])
        filled = {number for number, _ in (*self._held, *self._spilled)}
        yield from (Part(number) for number in sorted(filled - {0}))

    def files(self) -> list[FileFacts]:
        """The folder's files."""
        return [one.facts for one in self._files.values()]

    def read(self, piece: Part, number: int) -> list[BlockBooks]:
        """The books of each table for some rounds; those of ``rounds`` carry the frames."""
        frames = {name: self._rows(piece.number, name) for name in self._files}
        gathered = gather(frames, [name for name, one in self._files.items() if "revision" in one.columns], self._cards)
        records = gathered.records
        rows = frames["rounds"]["row"].alias("source_line")
        rounds = BlockBooks(self._files["rounds"].file.name)
        reasons, other = self._intake.take(rounds, records, rows, number, gathered.broken)
        taken = _NO_NUMBERS if rounds.frames is None else rounds.frames.rounds.select("source_line", new=TELLING)
        numbers = records.select(TELLING).with_columns(rows).join(taken, on="source_line", how="inner")
        books = [self._entered(name, frame, gathered, reasons, other, numbers, rounds) for name, frame in frames.items()]
        return books + piece.books

    def _entered(
        self, name: str, frame: pl.DataFrame, gathered: Gathered, reasons: pl.DataFrame, other: pl.Series, numbers: pl.DataFrame,
        rounds: BlockBooks,
    ) -> BlockBooks:  # fmt: skip
        """The books of one table: what became of each of its rows."""
        books = rounds if name == "rounds" else BlockBooks(self._files[name].file.name)
        books.records = frame.height
        links = gathered.links[name].join(reasons, on=TELLING, how="left", maintain_order="left")
        links = links.with_columns(good=pl.col(TELLING).is_not_null() & pl.col("reason").is_null())
        # A row that belongs to two tellings of a round counts with the first that is taken in.
        first = links.sort("row", ~pl.col("good"), maintain_order=True).unique("row", keep="first", maintain_order=True)
        refused = first.filter(~pl.col("good")).join(frame, on="row", how="left", maintain_order="left")
        books.refused = _refused(name, refused)
        if name != "rounds":
            good = first.filter("good")
            elsewhere = good[TELLING].is_in(other.implode())
            books.other_day = int(elsewhere.sum())
            taken = good.filter(~elsewhere)
            books.taken = taken.height
            books.rows = taken.join(numbers, on=TELLING).group_by(pl.col("new").alias(TELLING)).agg(rows=pl.len())
        return books

    def _lacks(self) -> list[str]:
        has = {name: one.columns for name, one in self._files.items()}
        missing = {
            "cards": not {"hands", "card_readings"} & has.keys(),
            "decision": "decision" not in has["participants"],
            "void_reason": not {"reason", "authorised_by"} <= has.get("voids", frozenset()),
        }
        return [name for name, lacking in missing.items() if lacking]

    def _dealt(self, frame: pl.DataFrame) -> list[tuple[int, pl.DataFrame]]:
        if self._parts == 1:
            return [(0, frame)]
        of_round = pl.concat_str(KEY, separator="\n").hash(seed=4).fill_null(0) % self._parts
        parts = frame.with_columns(part=of_round.cast(pl.Int64)).partition_by("part", maintain_order=True, include_key=True)
        return [(part.item(0, "part"), part.drop("part")) for part in parts]

    def _write_out(self) -> None:
        self._spill.mkdir(parents=True, exist_ok=True)
        for (number, table), frames in self._held.items():
            pl.concat(frames).write_ipc(self._path(number, table, self._spilled[number, table]), compression="uncompressed")
            self._spilled[number, table] += 1
        self._held.clear()

    def _rows(self, number: int, table: str) -> pl.DataFrame:
        written = [pl.read_ipc(self._path(number, table, nth)) for nth in range(self._spilled[number, table])]
        held = self._held.get((number, table), [])
        empty = pl.DataFrame(schema={"row": pl.Int64, "offset": pl.Int64, "raw": pl.Binary, "fault": pl.String, **COLUMNS[table]})
        return pl.concat([empty, *written, *held]).sort("row")

    def _path(self, number: int, table: str, nth: int) -> Path:
        return self._spill / f"{number}-{table}-{nth}.arrow"


_NO_NUMBERS: Final = pl.DataFrame(schema={"source_line": pl.Int64, "new": pl.Int64})


def _books_beside(one: TableFile) -> BlockBooks:
    rows = one.facts.lines - one.blank
    return BlockBooks(one.file.name, blank=one.blank, unknown=Counter(dict.fromkeys(one.unknown, rows)))


def _refused(name: str, rows: pl.DataFrame) -> list[Refused]:
    told = pl.coalesce(
        pl.when(pl.col("fault").is_not_null()).then(pl.format("{}, row {}: {}", pl.lit(name), "row", "fault")),
        pl.when(pl.col(TELLING).is_null()).then(pl.lit("no such round in the table rounds")),
        "reason",
    )
    said = pl.struct(pl.exclude(*_PLACE, TELLING, "reason", "good")).struct.json_encode()
    out = rows.select("row", "offset", told=told, raw=pl.coalesce("raw", said.cast(pl.Binary)))
    return [Refused(row, offset, reason, raw) for row, offset, reason, raw in out.iter_rows()]
