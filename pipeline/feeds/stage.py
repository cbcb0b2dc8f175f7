"""The staging area: what was read of a delivery, on disk, until its gaming days are put together.

Each block's frames lie in one Arrow IPC file a table, sorted by slot (studio, gaming day, hour), and are read back a slot at a time, so
that memory does not grow with the day. What is kept in memory is an index of the slots and some sixty bytes a round.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

import msgspec
import polars as pl
import pyarrow as pa

from pipeline.core.schema import CHUNK_WAGERS, TIME
from pipeline.feeds.chunks import Told, assemble, standing_rows
from pipeline.feeds.published import unkeyed
from pipeline.feeds.staged import ROW_BITS, STAGED, TELLING, StagedFrames, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from pipeline.core.schema import Chunk

_SLOT: Final = ("studio_id", "gaming_day", "hour")
_INDEXED: Final = (TELLING, "round_hash", "text_hash", "text_hash_2", "source_line", "revision", "recorded_at")
_FIRST_PUBLISHED: Final = 1 << 36
_PIECES: Final = "pieces.json"
_TOLD_OFTEN: Final = "told_often"


class Piece(msgspec.Struct, frozen=True):
    """The rows of one block that belong to one slot.

    Args:
        studio_id: the slot's studio.
        gaming_day: the slot's gaming day.
        hour: the slot's hour, counted from 1970 UTC.
        first: number of the first telling.
        tellings: how many there are; their numbers follow each other.
        wagers: how many wagers they hold.
        spans: for each table of ``STAGED``, the first row and the number of rows in the block's file.
    """

    studio_id: str
    gaming_day: date
    hour: int
    first: int
    tellings: int
    wagers: int
    spans: tuple[tuple[int, int], ...]

    @property
    def block(self) -> int:
        """The block that the rows lie in."""
        return self.first >> ROW_BITS


class Stage:
    """Staged frames and their index. ``write`` may be called from several threads, each for its own block.

    Args:
        folder: an empty folder for its files; made when it is not there.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._pieces: list[Piece] = []
        self._index: list[pl.DataFrame] = []
        self._published = 0
        self._told_often: pl.DataFrame | None = None
        self.was_published = Standing()
        self.standing = Standing()

    def write(self, number: int, frames: StagedFrames) -> tuple[list[Piece], pl.DataFrame]:
        """Writes the frames of block ``number`` and returns what ``note`` takes.

        Args:
            number: the block; its tellings are numbered from ``number << 24`` on, in the order of their slots.
            frames: its frames.
        """
        for name, frame in frames.items():
            frame.select(pl.col(column).cast(kind) for column, kind in STAGED[name].items()).write_ipc(
                self._path(number, name), compression="uncompressed"
            )
        grouped = frames.rounds.group_by(*_SLOT, maintain_order=True).agg(
            pl.col(TELLING).first().alias("first"), pl.len().alias("tellings"), pl.col("n_wagers").sum().alias("wagers")
        )
        starts = [(frame[TELLING].search_sorted(grouped["first"]), frame.height) for _, frame in frames.items()]
        spans = [[(at, after - at) for at, after in pairwise([*start, height])] for start, height in starts]
        rows = grouped.select(*_SLOT, "first", "tellings", "wagers").iter_rows()
        pieces = [
            Piece(studio, day, hour, first, tellings, wagers, tuple(span))
            for (studio, day, hour, first, tellings, wagers), *span in zip(rows, *spans, strict=True)
        ]
        return pieces, frames.rounds.select(_INDEXED).rechunk()

    def note(self, pieces: Iterable[Piece], index: pl.DataFrame) -> None:
        """Takes a written block into the index."""
        self._pieces += pieces
        self._index.append(index)
        self._told_often = None

    def add_published(self, chunk: Chunk) -> None:
        """Adds rounds that an earlier delivery has published; a telling of this delivery is later than any of them.

        Before it is decided what stands, that may change of them; afterwards they stand as they did.
        """
        number = _FIRST_PUBLISHED + self._published
        self._published += 1
        frames, was = unkeyed(chunk, number << ROW_BITS)
        self.was_published, self.standing = self.was_published.joined(was), self.standing.joined(was)
        self.note(*self.write(number, frames))

    @staticmethod
    def is_published() -> pl.Expr:
        """Whether a telling comes from an earlier delivery."""
        return pl.col(TELLING) >= (_FIRST_PUBLISHED << ROW_BITS)

    def index(self) -> pl.DataFrame:
        """A row a telling: ``telling, round_hash, text_hash, text_hash_2, source_line, revision, recorded_at``."""
        if not self._index:
            return pl.DataFrame(schema={name: STAGED["rounds"][name] for name in _INDEXED})
        return pl.concat(self._index)

    def told_often(self) -> pl.DataFrame:
        """``telling, round_hash`` of the rounds of which more than one telling is kept."""
        if self._told_often is None:
            kept = self.index().select(TELLING, "round_hash").join(self.standing.dropped.to_frame(), on=TELLING, how="anti")
            self._told_often = kept.filter(pl.col("round_hash").is_duplicated())
        return self._told_often

    def save(self) -> None:
        """Writes beside the frames what another process needs to put the gaming days together."""
        (self._folder / _PIECES).write_bytes(msgspec.json.encode(self._pieces))
        kept = {one.name: getattr(self.standing, one.name) for one in fields(Standing)} | {_TOLD_OFTEN: self.told_often()}
        for name, rows in kept.items():
            (rows.to_frame() if isinstance(rows, pl.Series) else rows).write_ipc(self._folder / f"{name}.arrow", compression="uncompressed")

    @classmethod
    def opened(cls, folder: Path) -> Stage:
        """A staging area that was saved, to be read only."""
        stage = cls(folder)
        stage._pieces = msgspec.json.decode((folder / _PIECES).read_bytes(), type=list[Piece])
        dropped, *others = (pl.read_ipc(folder / f"{one.name}.arrow") for one in fields(Standing))
        stage.standing = Standing(dropped[TELLING], *others)
        stage._told_often = pl.read_ipc(folder / f"{_TOLD_OFTEN}.arrow")
        return stage

    def wagers(self, partition: tuple[str, date]) -> int:
        """How many wagers are staged of a studio's gaming day, those that are told again counted too."""
        return sum(piece.wagers for piece in self._pieces_of(partition))

    def partitions(self) -> list[tuple[str, date]]:
        """The studios and gaming days that are staged, in order."""
        return sorted({(piece.studio_id, piece.gaming_day) for piece in self._pieces})

    def chunks(self, partition: tuple[str, date], target_wagers: int = CHUNK_WAGERS) -> Iterator[Chunk]:
        """The rounds of a studio's gaming day in the order of time, about ``target_wagers`` wagers at a time, with their running keys.

        Content and keys depend on what was delivered only, not on how it was cut into files or ordered.
        """
        return (told.chunk for told in self.told(partition, target_wagers))

    def told(self, partition: tuple[str, date], target_wagers: int = CHUNK_WAGERS) -> Iterator[Told]:
        """The same, each chunk with what was told of its rounds outside it."""
        return assemble(self, self._pieces_of(partition), target_wagers)

    def standing_rows(self, partition: tuple[str, date]) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The current rounds of a studio's gaming day and their meters (``schema.ROUNDS``, ``schema.METERS``), unnumbered."""
        return standing_rows(self, self._pieces_of(partition))

    def has_cards(self, partition: tuple[str, date]) -> bool:
        """Whether any card was read or posted on a studio's gaming day."""
        pieces = self._pieces_of(partition)
        return bool(self.rows("hands", pieces, ["cards"])["cards"].is_not_null().any()) or self.rows("card_readings", pieces).height > 0

    def newest(self, clocks: Sequence[str]) -> pl.DataFrame:
        """The newest time in the delivery: ``studio_id, newest``, over these time columns of the rounds."""
        told = [self.rows("rounds", self._pieces_of(partition), ["studio_id", *clocks]) for partition in self.partitions()]
        empty = pl.DataFrame(schema={"studio_id": pl.String, "newest": TIME})
        found = [one.group_by("studio_id").agg(newest=pl.max_horizontal(pl.col(clock).max() for clock in clocks)) for one in told]
        return pl.concat([empty, *found]).group_by("studio_id").agg(pl.col("newest").max()).sort("studio_id")

    def rows(self, table: str, pieces: Iterable[Piece], columns: list[str] | None = None) -> pl.DataFrame:
        """The staged rows of ``table`` in ``pieces``, sorted by telling within each."""
        at, wanted = list(STAGED).index(table), columns or STAGED[table].names()
        mapped = cache(lambda block: self._mapped(block, table).select(wanted))
        return pl.concat(
            [pl.DataFrame(schema=STAGED[table]).select(wanted), *(mapped(piece.block).slice(*piece.spans[at]) for piece in pieces)]
        )

    def tellings(self, numbers: pl.Series) -> StagedFrames:
        """The frames of single tellings."""
        blocks = sorted({number >> ROW_BITS for number in numbers})
        wanted = pl.col(TELLING).is_in(numbers.implode())
        return StagedFrames(**{name: pl.concat([self._mapped(block, name).filter(wanted) for block in blocks]) for name in STAGED})

    def _mapped(self, number: int, table: str) -> pl.DataFrame:
        """A block's frame where it lies: only what is looked at is read from the disk, and nothing is copied."""
        with pa.memory_map(str(self._path(number, table))) as file:
            return cast("pl.DataFrame", pl.from_arrow(pa.ipc.open_file(file).read_all()))

    def _pieces_of(self, partition: tuple[str, date]) -> list[Piece]:
        pieces = [piece for piece in self._pieces if (piece.studio_id, piece.gaming_day) == partition]
        return sorted(pieces, key=lambda piece: (piece.hour, piece.first))

    def _path(self, number: int, table: str) -> Path:
        return self._folder / f"{number:012d}-{table}.arrow"
