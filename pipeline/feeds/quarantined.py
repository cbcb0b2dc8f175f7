"""Lines that lie in quarantine, as an input to be read again (``pipeline.feeds.reader.Source``)."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.feeds.blocks import Block
from pipeline.feeds.log_files import SUFFIXES
from pipeline.feeds.reader import FileFacts
from pipeline.feeds.strict import CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.feeds.intake import BlockBooks
    from pipeline.feeds.round_log import RoundLogReader

_BLOCK_BYTES: Final = 4 << 20


def is_cut() -> pl.Expr:
    """Whether only the head of a line was kept."""
    return pl.col("reason").str.contains(CUT)


def is_of_log() -> pl.Expr:
    """Whether a record is a line of a round log, by the name of its file: what it says does not depend on the lines around it."""
    name = pl.col("source_file").str.to_lowercase()
    return pl.any_horizontal(name.str.ends_with(suffix) for suffix in SUFFIXES)


class QuarantinedLines:
    """The lines of one file that are tried again; ``refused`` names those that cannot be read still.

    Args:
        reader: reads them, as it would have in their file.
        name: the file.
        sha256: its digest.
        rows: ``source_line, byte_offset, raw`` of each, in order.
    """

    def __init__(self, reader: RoundLogReader, name: str, sha256: str, rows: pl.DataFrame) -> None:
        self.name = name
        self._reader = reader
        self._sha256 = sha256
        self._rows = rows

    def pieces(self, seen: Callable[[str, int], None]) -> Iterator[pl.DataFrame]:
        """Some megabytes of lines at a time."""
        del seen
        part = pl.col("raw").bin.size().cum_sum() // _BLOCK_BYTES
        yield from self._rows.with_columns(part=part).partition_by("part", maintain_order=True, include_key=False)

    def read(self, piece: pl.DataFrame, number: int) -> list[BlockBooks]:
        """Read the lines as a block, and put them back to where they stood in their file."""
        lines, offsets = piece["source_line"].to_list(), piece["byte_offset"].to_list()
        books = self._reader.read(Block(b"\n".join(piece["raw"]) + b"\n", 0, 0), number, self.name)
        if books.frames is not None:
            stood = dict(zip(count(), lines, strict=False))
            rounds = books.frames.rounds.with_columns(pl.col("source_line").replace_strict(stood, return_dtype=pl.Int64))
            books.frames = replace(books.frames, rounds=rounds)
        books.refused = [replace(one, line=lines[one.line], offset=offsets[one.line]) for one in books.refused]
        return [books]

    def files(self) -> list[FileFacts]:
        """The file, as far as it is read again."""
        size = int(self._rows["raw"].bin.size().sum())
        return [FileFacts(self.name, self._sha256, size, self._rows.height)]
