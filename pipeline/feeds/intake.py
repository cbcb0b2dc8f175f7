"""From a frame of records to staged frames, and the books of what was taken in: one way for every format."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from pipeline.feeds.frames import FrameBuilder
from pipeline.feeds.gaming_day import gaming_days
from pipeline.feeds.participants import merged, numbered
from pipeline.feeds.records import misfits, text_hashes, why_refused
from pipeline.feeds.staged import ROW_BITS, TELLING, StagedFrames, round_hash, slot_hour

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from pipeline.core.times import GamingDay
    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.strict import Refused


@dataclass(slots=True)
class BlockBooks:
    """What became of the records of a block, as far as they stand in one file.

    Args:
        source_file: the file.
        frames: the tellings taken in; None where there is none.
        refused: the records that cannot be read.
        blank: blank lines.
        taken: records taken in.
        other_day: records of a gaming day that was not asked for.
        records: lines that are not blank, rows or games.
        unknown: fields that the format does not know.
        rows: ``telling, rows`` where a telling's records in this file are not just one: how many there are of each taken in.
    """

    source_file: str = ""
    frames: StagedFrames | None = None
    refused: list[Refused] = field(default_factory=list)
    blank: int = 0
    taken: int = 0
    other_day: int = 0
    records: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    rows: pl.DataFrame | None = None


class Intake:
    """Takes records in. May be used from several threads.

    Args:
        filed: studio to the start of its gaming day.
        only_day: the one gaming day that is asked for; None: all.
        zone: IANA zone of times without offset; None: such a time is none.
        lacks: what the feed never carries (``schema.ROUNDS``, ``feed_lacks``).
        pseudonyms: what stands in place of player ids; None: these stay.
    """

    def __init__(
        self,
        filed: Mapping[str, GamingDay],
        only_day: date | None = None,
        zone: str | None = None,
        lacks: Iterable[str] = (),
        pseudonyms: Pseudonyms | None = None,
    ) -> None:
        self._filed = filed
        self._only_day = only_day
        self._zone = zone
        self._lacks = sorted(lacks)
        self._pseudonyms = pseudonyms

    def reading(self, zone: str | None, lacks: Iterable[str]) -> Intake:
        """The same for a feed whose times without offset are of ``zone``, and which never carries ``lacks``."""
        return Intake(self._filed, self._only_day, zone, lacks, self._pseudonyms)

    def frames(self, records: pl.DataFrame, source_line: pl.Series, hashes: tuple[pl.Series, pl.Series]) -> tuple[StagedFrames, pl.Series]:
        """The frames of records, and the tellings in them that hold an amount or a time that is none, or nothing to be dated by.

        Args:
            records: ``telling`` and the columns of ``records.RECORD``, sorted by it. ``pipeline.feeds.records.misfits`` are not found here.
            source_line: of each record.
            hashes: two of each record's text.
        """
        build = FrameBuilder(records, self._zone)
        entries = self._named(numbered(build.participants()), "player_id")
        readings = build.card_readings()
        hands = build.hands([
            readings.select(TELLING, hand_id="to").filter(pl.col("hand_id").is_not_null()),
            entries.select(TELLING, "hand_id").filter(pl.col("hand_id").is_not_null()),
        ])  # fmt: skip
        numbers = hands.select(TELLING, "hand_id", "hand_no")
        entries = entries.join(numbers, on=[TELLING, "hand_id"], how="left", maintain_order="left")
        readings = readings.join(numbers, left_on=[TELLING, "to"], right_on=[TELLING, "hand_id"], how="left", maintain_order="left")
        wagers = build.wagers(entries)
        rounds = self._named(build.rounds(), "void_player_ids").with_columns(
            hashes[0].alias("text_hash"), hashes[1].alias("text_hash_2"), source_line.alias("source_line"),
            feed_lacks=pl.lit(self._lacks or None, pl.List(pl.String)),
        )  # fmt: skip
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
        return frames, pl.concat([build.bad, undated]).unique()

    def _named(self, frame: pl.DataFrame, name: str) -> pl.DataFrame:
        """The frame with pseudonyms for the player ids in a column, where they are asked for."""
        if self._pseudonyms is None:
            return frame
        players = frame[name]
        return frame.with_columns(self._pseudonyms.of(players) if players.dtype == pl.String else self._pseudonyms.of_lists(players))

    def take(
        self, books: BlockBooks, records: pl.DataFrame, source_line: pl.Series, number: int, broken: pl.DataFrame | None = None
    ) -> tuple[pl.DataFrame, pl.Series]:
        """Takes in the records of a block that can be read, and says why the others cannot.

        Args:
            books: the books of the block's file, where ``frames``, ``taken`` and ``other_day`` are filled in.
            records: ``telling`` and the columns of ``records.RECORD``, sorted by it.
            source_line: of each record.
            number: the block's number in the delivery.
            broken: ``telling, reason`` of records that cannot be read for a reason that does not show in them.

        Returns:
            ``telling, reason`` of each record that cannot be read; and the tellings of a gaming day that is not asked for.
        """
        frames, unread = self.frames(records, source_line, text_hashes(records))
        bad = pl.concat([unread, misfits(records)]).unique()
        told = pl.DataFrame(schema={TELLING: pl.Int64, "reason": pl.String}) if broken is None else broken
        silent = records.filter(pl.col(TELLING).is_in(bad.implode()) & ~pl.col(TELLING).is_in(told[TELLING].implode()))
        judged = pl.DataFrame({TELLING: silent[TELLING], "reason": why_refused(silent)}, schema=told.schema)
        reasons = pl.concat([told, judged]).unique(TELLING, keep="first", maintain_order=True).sort(TELLING)
        other = self.keep(books, frames.without(reasons[TELLING]) if reasons.height else frames, number)
        return reasons, other

    def keep(self, books: BlockBooks, frames: StagedFrames, number: int) -> pl.Series:
        """Enters the tellings of good frames into ``books``, which name the file; returns those of another gaming day.

        Args:
            books: where ``frames``, ``taken`` and ``other_day`` are filled in.
            frames: frames without what cannot be read.
            number: the block's number in the delivery, which orders its tellings among others.
        """
        other = frames.rounds[TELLING].clear()
        if self._only_day is not None:
            other = frames.rounds.filter(pl.col("gaming_day") != self._only_day)[TELLING]
            books.other_day = len(other)
            frames = frames.without(other) if len(other) else frames
        if frames.rounds.height:
            books.taken = frames.rounds.height
            books.frames = _in_slots(frames, number, books)
        return other


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


def _in_slots(frames: StagedFrames, number: int, books: BlockBooks) -> StagedFrames:
    """Sorts the tellings by studio, gaming day and hour, and gives them their numbers in the delivery."""
    order = ["studio_id", "gaming_day", "hour"]
    rounds = frames.rounds.with_columns(slot_hour(), round_hash(), source_file=pl.lit(books.source_file)).sort(order, maintain_order=True)
    new = pl.DataFrame({TELLING: rounds[TELLING]}).with_columns(new=(number << ROW_BITS) + pl.int_range(pl.len(), dtype=pl.Int64))
    moved = not rounds[TELLING].is_sorted()

    def renumbered(frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.join(new, on=TELLING, how="inner", maintain_order="left").drop(TELLING).rename({"new": TELLING})
        return frame.sort(TELLING, maintain_order=True) if moved else frame

    return StagedFrames(**{name: renumbered(frame) for name, frame in [*frames.items()[1:], ("rounds", rounds)]})
