"""Reads ``round-log/1``: a block of lines becomes staged frames and the lines that cannot be read."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl

from pipeline.feeds.blocks import Block, LongLine
from pipeline.feeds.frames import FrameBuilder
from pipeline.feeds.gaming_day import gaming_days
from pipeline.feeds.participants import merged, numbered
from pipeline.feeds.shape import RoundOfRaw, RoundOfText, decoded
from pipeline.feeds.staged import ROW_BITS, TELLING, StagedFrames, round_hash, slot_hour
from pipeline.feeds.strict import Refused, StrictDecoder, StrictLines, too_long
from pipeline.feeds.suspect import why_unread
from pipeline.feeds.typed import quote_numbers, unquoted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from pipeline.core.times import GamingDay
    from pipeline.feeds.blocks import ReadLimits

AMOUNT_PLACES: Final = frozenset(
    {f"participants.wagers.{name}" for name in ("stake", "paid", "bonus_paid")}
    | {f"displayed.limits.{name}" for name in ("min", "max")}
    | {f"meters.{name}" for name in ("before", "contribution", "paid", "reseed", "after")}
)
TIME_PLACES: Final = frozenset(
    {"opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at", "recorded_at", "void.at", "displayed.read_at"}
    | {"stream_outages.from", "stream_outages.to", "card_readings.read_at", "participants.decided_at"}
    | {"participants.wagers.placed_at", "participants.wagers.paid_at"}
)
AMOUNTS: Final = tuple(sorted({place.rpartition(".")[2] for place in AMOUNT_PLACES}))
"""No other field of the format bears one of these names."""

_BATCH_BYTES: Final = 1 << 20
"""Text that is decoded at a time: in larger pieces the decoder leaves the processor's cache and takes half as long again."""
_DTYPE: Final = decoded(msgspec.inspect.type_info(RoundOfText))


@dataclass(slots=True)
class BlockBooks:
    """What became of the lines of a block.

    Args:
        frames: the tellings taken in; None where there is none.
        refused: the records that cannot be read.
        blank: blank lines.
        taken: records taken in.
        other_day: records of a gaming day that was not asked for.
        records: lines that are not blank.
        unknown: fields that the format does not know.
    """

    frames: StagedFrames | None = None
    refused: list[Refused] = field(default_factory=list)
    blank: int = 0
    taken: int = 0
    other_day: int = 0
    records: int = 0
    unknown: Counter[str] = field(default_factory=Counter)


class RoundLogReader:
    """Reads the blocks of a delivery. May be used from several threads.

    Args:
        filed: studio to the start of its gaming day.
        limits: the longest line.
        only_day: the one gaming day that is asked for; None: all.
    """

    def __init__(self, filed: Mapping[str, GamingDay], limits: ReadLimits, only_day: date | None = None) -> None:
        self._filed = filed
        self._limits = limits
        self._only_day = only_day
        self._decoder = StrictDecoder(RoundOfText, RoundOfRaw, limits)

    def read(self, block: Block | LongLine, number: int, source_file: str) -> BlockBooks:
        """The frames of one block.

        Args:
            block: the block.
            number: its number in the delivery, which orders its tellings among others.
            source_file: the file that it was cut from.
        """
        if isinstance(block, LongLine):
            refused = Refused(block.line, block.offset, too_long(block.size, self._limits), block.head)
            return BlockBooks(refused=[refused], records=1)
        strict = self._decoder.read(block)
        books = BlockBooks(refused=strict.refused, blank=strict.blank, records=len(strict.lines) - strict.blank, unknown=strict.unknown)
        if strict.at:
            frames, bad = self._frames(strict, block.first_line)
            books.refused += _refuse(block, strict, bad)
            books.refused.sort(key=lambda one: one.line)
            frames = frames.without(bad) if len(bad) else frames
            if self._only_day is not None:
                other = frames.rounds.filter(pl.col("gaming_day") != self._only_day)[TELLING]
                books.other_day = len(other)
                frames = frames.without(other) if len(other) else frames
            if frames.rounds.height:
                books.taken = frames.rounds.height
                books.frames = _in_slots(frames, number, source_file)
        return books

    def _frames(self, strict: StrictLines, first_line: int) -> tuple[StagedFrames, pl.Series]:
        """The frames, and the tellings in them that cannot be read. A telling is named by its place among the lines."""
        lines = pl.scan_lines(io.BytesIO(strict.text)).collect().to_series()
        at = pl.Series(TELLING, strict.at, dtype=pl.Int64)
        if lines.len() != at.len():  # pragma: no cover - the encoder writes one line a record
            raise AssertionError("a record was written on more than one line")
        bad = at.clear()
        if strict.numeric:
            lines = quote_numbers(lines, AMOUNTS)
            wrong = unquoted(lines, AMOUNTS)
            bad, at, lines = at.filter(wrong), at.filter(~wrong), lines.filter(~wrong)
        records = _decoded(lines, len(strict.text)).with_columns(at)
        build = FrameBuilder(records)
        entries = numbered(build.participants())
        readings = build.card_readings()
        hands = build.hands([
            readings.select(TELLING, hand_id="to").filter(pl.col("hand_id").is_not_null()),
            entries.select(TELLING, "hand_id").filter(pl.col("hand_id").is_not_null()),
        ])  # fmt: skip
        numbers = hands.select(TELLING, "hand_id", "hand_no")
        entries = entries.join(numbers, on=[TELLING, "hand_id"], how="left", maintain_order="left")
        readings = readings.join(numbers, left_on=[TELLING, "to"], right_on=[TELLING, "hand_id"], how="left", maintain_order="left")
        wagers = build.wagers(entries)
        rounds = build.rounds().with_columns(
            lines.hash(seed=1).alias("text_hash"), lines.hash(seed=2).alias("text_hash_2"), source_line=pl.lit(first_line) + pl.col(TELLING)
        )
        rounds = _counted(_dated(rounds, wagers, readings), wagers)
        frames = StagedFrames(
            rounds=rounds.with_columns(gaming_days(rounds, self._filed)),
            hands=hands,
            card_readings=readings,
            participants=merged(entries),
            wagers=wagers,
            displayed=build.displayed(),
            meters=build.meters(),
        )
        undated = rounds.filter(pl.col("dated_at").is_null())[TELLING]
        return frames, pl.concat([bad, build.bad, undated]).unique()


def _decoded(lines: pl.Series, size: int) -> pl.DataFrame:
    step = max(1, lines.len() * _BATCH_BYTES // max(size, 1))
    parts = [lines.slice(at, step).str.json_decode(_DTYPE) for at in range(0, max(lines.len(), 1), step)]
    return pl.concat(parts).struct.unnest()


def _dated(rounds: pl.DataFrame, wagers: pl.DataFrame, readings: pl.DataFrame) -> pl.DataFrame:
    """Adds ``dated_at``: the first that is there of opened_at, bets_closed_at, the earliest placed_at and read_at, posted_at."""
    dated = pl.coalesce("opened_at", "bets_closed_at")
    if not rounds.select(dated.is_null().any()).item():
        return rounds.with_columns(dated_at=dated)
    placed = wagers.group_by(TELLING).agg(pl.col("placed_at").min())
    read = readings.group_by(TELLING).agg(pl.col("read_at").min())
    joined = rounds.join(placed, on=TELLING, how="left", maintain_order="left").join(read, on=TELLING, how="left", maintain_order="left")
    return rounds.with_columns(joined.select(dated_at=pl.coalesce(dated, "placed_at", "read_at", "posted_at")))


def _counted(rounds: pl.DataFrame, wagers: pl.DataFrame) -> pl.DataFrame:
    counts = wagers.group_by(TELLING).agg(pl.len().cast(pl.Int64).alias("n_wagers"))
    return rounds.join(counts, on=TELLING, how="left", maintain_order="left").with_columns(pl.col("n_wagers").fill_null(0))


def _in_slots(frames: StagedFrames, number: int, source_file: str) -> StagedFrames:
    """Sorts the tellings by studio, gaming day and hour, and gives them their numbers in the delivery."""
    order = ["studio_id", "gaming_day", "hour"]
    rounds = frames.rounds.with_columns(slot_hour(), round_hash(), source_file=pl.lit(source_file)).sort(order, maintain_order=True)
    new = pl.DataFrame({TELLING: rounds[TELLING]}).with_columns(new=(number << ROW_BITS) + pl.int_range(pl.len(), dtype=pl.Int64))
    moved = not rounds[TELLING].is_sorted()

    def renumbered(frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.join(new, on=TELLING, how="inner", maintain_order="left").drop(TELLING).rename({"new": TELLING})
        return frame.sort(TELLING, maintain_order=True) if moved else frame

    return StagedFrames(**{name: renumbered(frame) for name, frame in [*frames.items()[1:], ("rounds", rounds)]})


def _refuse(block: Block, strict: StrictLines, bad: pl.Series) -> list[Refused]:
    if not len(bad):
        return []
    offsets = list(accumulate((len(line) + 1 for line in strict.lines), initial=block.offset))
    return [
        Refused(
            block.first_line + at,
            offsets[at],
            why_unread(strict.lines[at], AMOUNT_PLACES, TIME_PLACES) or "no time to date the round by",
            strict.lines[at],
        )
        for at in bad.sort()
    ]
