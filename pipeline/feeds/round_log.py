"""Reads ``round-log/1``: a block of lines becomes staged frames and the lines that cannot be read."""

from __future__ import annotations

import io
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.feeds.blocks import Block, LongLine
from pipeline.feeds.intake import BlockBooks
from pipeline.feeds.reader import FileOfLines
from pipeline.feeds.records import AMOUNT_PLACES, AMOUNTS, RECORD, TIME_PLACES, UNDATED
from pipeline.feeds.shape import RoundOfRaw, RoundOfText
from pipeline.feeds.staged import TELLING, StagedFrames
from pipeline.feeds.strict import Refused, StrictDecoder, StrictLines, too_long
from pipeline.feeds.suspect import why_unread
from pipeline.feeds.typed import quote_numbers, unquoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.core.schema import PolarsType
    from pipeline.feeds.head import Head
    from pipeline.feeds.intake import Intake
    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.reader import Context

NAME: Final = "round-log/1"

_BATCH_BYTES: Final = 1 << 20
"""Text that is decoded at a time: in larger pieces the decoder leaves the processor's cache and takes half as long again."""


def recognises(head: Head) -> bool:
    """Whether a file begins with a record of the format."""
    return not head.keys.isdisjoint({"round_id", "studio_id"})


class RoundLogReader:
    """Reads the blocks of round logs. May be used from several threads.

    Args:
        context: the longest line, and where the records go.
    """

    def __init__(self, context: Context) -> None:
        self.limits = context.limits
        self._intake: Intake = context.intake.reading(context.zone(NAME), ())
        self._decoder = StrictDecoder(RoundOfText, RoundOfRaw, context.limits)

    def open(self, files: Sequence[LogFile]) -> FileOfLines:
        """One file of the delivery."""
        (file,) = files
        return FileOfLines(self, file)

    def read(self, block: Block | LongLine, number: int, source_file: str) -> BlockBooks:
        """The frames of one block.

        Args:
            block: the block.
            number: its number in the delivery, which orders its tellings among others.
            source_file: the file that it was cut from.
        """
        if isinstance(block, LongLine):
            refused = Refused(block.line, block.offset, too_long(block.size, self.limits), block.head)
            return BlockBooks(source_file, refused=[refused], records=1)
        strict = self._decoder.read(block)
        records = len(strict.lines) - strict.blank
        books = BlockBooks(source_file, refused=strict.refused, blank=strict.blank, records=records, unknown=strict.unknown)
        if strict.at:
            frames, bad = self._frames(strict, block.first_line)
            books.refused += _refuse(block, strict, bad)
            books.refused.sort(key=lambda one: one.line)
            self._intake.keep(books, frames.without(bad) if len(bad) else frames, number)
        return books

    def _frames(self, strict: StrictLines, first_line: int) -> tuple[StagedFrames, pl.Series]:
        """The frames, and the tellings in them that cannot be read. A telling is named by its place among the lines."""
        lines, at, wrong = amounts_quoted(strict)
        records = decoded_lines(lines, len(strict.text), pl.Struct(RECORD)).with_columns(at)
        frames, bad = self._intake.frames(records, first_line + at, (lines.hash(seed=1), lines.hash(seed=2)))
        return frames, pl.concat([wrong, bad]).unique()


def amounts_quoted(strict: StrictLines) -> tuple[pl.Series, pl.Series, pl.Series]:
    """The records of a block, a line each, with their amounts as text; their places; and the places of those with another amount."""
    lines, at = text_lines(strict)
    if not strict.numeric:
        return lines, at, at.clear()
    lines = quote_numbers(lines, AMOUNTS)
    wrong = unquoted(lines, AMOUNTS)
    return lines.filter(~wrong), at.filter(~wrong), at.filter(wrong)


def text_lines(strict: StrictLines) -> tuple[pl.Series, pl.Series]:
    """The records of a block, a line each, and their places among its lines (``telling``)."""
    lines = pl.scan_lines(io.BytesIO(strict.text)).collect().to_series()
    at = pl.Series(TELLING, strict.at, dtype=pl.Int64)
    if lines.len() != at.len():  # pragma: no cover - the encoder writes one line a record
        raise AssertionError("a record was written on more than one line")
    return lines, at


def decoded_lines(lines: pl.Series, size: int, kind: PolarsType) -> pl.DataFrame:
    """The records as columns.

    Args:
        lines: a record each, well-formed and of the right JSON types.
        size: bytes of them all, about.
        kind: the struct that each is.
    """
    step = max(1, lines.len() * _BATCH_BYTES // max(size, 1))
    parts = [lines.slice(at, step).str.json_decode(kind) for at in range(0, max(lines.len(), 1), step)]
    return pl.concat(parts).struct.unnest()


def _refuse(block: Block, strict: StrictLines, bad: pl.Series) -> list[Refused]:
    if not len(bad):
        return []
    offsets = list(accumulate((len(line) + 1 for line in strict.lines), initial=block.offset))
    return [
        Refused(
            block.first_line + at,
            offsets[at],
            why_unread(strict.lines[at], AMOUNT_PLACES, TIME_PLACES) or UNDATED,
            strict.lines[at],
        )
        for at in bad.sort()
    ]
