"""Puts a gaming day together: staged rows become chunks with running keys, in the order of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

import polars as pl

from pipeline.core import schema
from pipeline.core.schema import Chunk
from pipeline.feeds.staged import TELLING, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.feeds.stage import Piece
    from pipeline.feeds.staged import StagedFrames

_PLACED = ("nth", "is_current", "conflicting")
_ELSEWHERE: Final = -(1 << 40)
_SLACK: Final = 0.1
"""By which part of it a chunk may pass what is aimed at, rather than leave a small one: each costs the same planning of queries."""

_OF_ROUND = ("round_key", "studio_id", "gaming_day", "table_id", "round_id", "is_current", "source_file", "source_line")


class Rows(Protocol):
    """Where staged rows come from."""

    @property
    def standing(self) -> Standing: ...  # noqa: D102

    def rows(self, table: str, pieces: Iterable[Piece], columns: list[str] | None = None) -> pl.DataFrame: ...  # noqa: D102


class Tellings(Rows, Protocol):
    """Where tellings are found one by one, too."""

    def told_often(self) -> pl.DataFrame: ...  # noqa: D102

    def tellings(self, numbers: pl.Series) -> StagedFrames: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Told:
    """A chunk, and what was told of its rounds outside it: in another hour, or on another gaming day.

    Args:
        chunk: whole rounds.
        elsewhere: the tellings that lie elsewhere of those rounds whose current telling is in the chunk. Nothing of them is current, and
            their keys are below 0.
    """

    chunk: Chunk
    elsewhere: Chunk | None = None

    @property
    def everything(self) -> Chunk:
        """The chunk, led by what lies elsewhere."""
        if self.elsewhere is None:
            return self.chunk
        both = (self.elsewhere, self.chunk)
        return Chunk(**{table.name: pl.concat([getattr(one, table.name) for one in both]) for table in schema.CHUNK_TABLES})


@dataclass(frozen=True, slots=True)
class _Single:
    """Some tellings as ``Rows``, none of which stands."""

    frames: StagedFrames
    standing: Standing = field(default_factory=Standing)

    def rows(self, table: str, pieces: Iterable[Piece], columns: list[str] | None = None) -> pl.DataFrame:
        del pieces
        frame: pl.DataFrame = getattr(self.frames, table)
        return frame if columns is None else frame.select(columns)


@dataclass(slots=True)
class _Next:
    """The next number of each running key."""

    round_key: int = 0
    hand_key: int = 0
    participant_key: int = 0
    wager_key: int = 0


def assemble(stage: Tellings, pieces: Sequence[Piece], target_wagers: int) -> Iterator[Told]:
    """The chunks of one studio and gaming day.

    Args:
        stage: where the rows lie.
        pieces: the partition's pieces, sorted by hour.
        target_wagers: neighbouring hours are joined up to about this many wagers, and cut by whole rounds where they have more.
    """
    following = _Next()
    for group in _grouped(pieces, target_wagers):
        for rounds in _cut(_ordered(stage, group), target_wagers):
            yield Told(_chunk(stage, group, rounds, following), _elsewhere(stage, rounds))


def _elsewhere(stage: Tellings, order: pl.DataFrame) -> Chunk | None:
    often = stage.told_often()
    here = often.join(order.filter("is_current").select(TELLING), on=TELLING, how="semi").select("round_hash")
    others = often.join(here, on="round_hash", how="semi").join(order.select(TELLING), on=TELLING, how="anti")
    if others.is_empty():
        return None
    placed = stage.standing.placed.join(others, on=TELLING, how="semi").sort("nth", TELLING)
    numbered = placed.select(TELLING, "nth", "conflicting", is_current=False, n_wagers=0)
    return _chunk(_Single(stage.tellings(others[TELLING])), (), numbered, _Next(*[_ELSEWHERE] * 4))


def standing_rows(stage: Rows, pieces: Sequence[Piece]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The current rounds of a partition and their meters, without their hands, participants and wagers.

    Returns:
        ``schema.ROUNDS`` and ``schema.METERS``; ``round_key`` is null.
    """
    order = _ordered(stage, pieces).filter("is_current").drop("n_wagers")
    rounds = order.join(stage.rows("rounds", pieces), on=TELLING, how="inner").with_columns(round_key=None)
    of_round = rounds.select(TELLING, *_OF_ROUND)
    meters = stage.rows("meters", pieces).join(of_round, on=TELLING, how="inner")
    return _shaped(schema.ROUNDS, rounds), _shaped(schema.METERS, meters)


def _grouped(pieces: Sequence[Piece], target: int) -> Iterator[list[Piece]]:
    """Whole hours, joined while they hold no more than the target; what is left in the end goes along where it is little."""
    group: list[Piece] = []
    wagers = 0
    left = sum(piece.wagers for piece in pieces)
    hours: dict[int, list[Piece]] = {}
    for piece in pieces:
        hours.setdefault(piece.hour, []).append(piece)
    for hour in hours.values():
        more = sum(piece.wagers for piece in hour)
        if group and wagers + more > target and left > target * _SLACK:
            yield group
            group, wagers = [], 0
        left -= more
        group += hour
        wagers += more
    if group:
        yield group


def _ordered(stage: Rows, group: Sequence[Piece]) -> pl.DataFrame:
    """The tellings of a group that are no repeats, in their order, with what stands of them and with ``n_wagers``."""
    rounds = stage.rows("rounds", group, [TELLING, "dated_at", "round_id", "n_wagers"])
    standing = stage.standing
    if len(standing.dropped):
        rounds = rounds.join(standing.dropped.to_frame(), on=TELLING, how="anti")
    return (
        rounds.join(standing.placed, on=TELLING, how="left")
        .with_columns(pl.col("nth").fill_null(0), pl.col("is_current").fill_null(value=True), pl.col("conflicting").fill_null(value=False))
        .sort("dated_at", "round_id", "nth")
        .select(TELLING, "n_wagers", *_PLACED)
    )


def _cut(rounds: pl.DataFrame, target: int) -> Iterator[pl.DataFrame]:
    """Whole rounds in as many parts as hold about the target each, all alike."""
    if rounds.is_empty():
        return
    wagers = int(rounds["n_wagers"].sum())
    parts = max(1, ceil(wagers / (target * (1 + _SLACK))))
    part = ((pl.col("n_wagers").cum_sum() - pl.col("n_wagers")) * parts // max(1, wagers)).clip(upper_bound=parts - 1)
    yield from rounds.with_columns(part=part).partition_by("part", maintain_order=True, include_key=False)


def _chunk(stage: Rows, group: Sequence[Piece], order: pl.DataFrame, following: _Next) -> Chunk:
    order = order.with_columns(round_key=following.round_key + pl.int_range(pl.len(), dtype=pl.Int64)).drop("n_wagers")
    following.round_key += order.height
    rounds = order.join(stage.rows("rounds", group), on=TELLING, how="inner", maintain_order="left")
    of_round = rounds.select(TELLING, *_OF_ROUND)

    def children(table: str) -> pl.DataFrame:
        rows = stage.rows(table, group).join(of_round, on=TELLING, how="inner", maintain_order="left")
        return rows.sort("round_key", maintain_order=True)

    kept = stage.standing.kept
    if not kept.is_empty():
        kept = kept.join(of_round.select(TELLING), on=TELLING, how="semi").with_columns(stands=pl.lit(value=True))
    hands = children("hands").with_columns(hand_key=following.hand_key + pl.int_range(pl.len(), dtype=pl.Int64))
    following.hand_key += hands.height
    hand_start = hands.filter(pl.col("hand_no") == 0).select(TELLING, hand_start="hand_key")
    persons = children("participants").with_columns(participant_key=following.participant_key + pl.int_range(pl.len(), dtype=pl.Int64))
    following.participant_key += persons.height
    person_start = persons.filter(pl.col("participant_no") == 0).select(TELLING, person_start="participant_key")
    wagers = children("wagers").with_columns(wager_key=following.wager_key + pl.int_range(pl.len(), dtype=pl.Int64))
    following.wager_key += wagers.height
    if not kept.is_empty():
        wagers, persons, hands = _stand(kept, wagers, persons, hands)

    def handed(frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.join(hand_start, on=TELLING, how="left", maintain_order="left")
        return frame.with_columns(hand_key=pl.col("hand_start") + pl.col("hand_no"))

    wagers = handed(wagers).join(person_start, on=TELLING, how="left", maintain_order="left")
    return Chunk(
        rounds=_shaped(schema.ROUNDS, rounds),
        hands=_shaped(schema.HANDS, hands),
        card_readings=_shaped(schema.CARD_READINGS, handed(children("card_readings"))),
        participants=_shaped(schema.PARTICIPANTS, handed(persons)),
        wagers=_shaped(schema.WAGERS, wagers.with_columns(participant_key=pl.col("person_start") + pl.col("participant_no"))),
        displayed=_shaped(schema.DISPLAYED, children("displayed")),
        meters=_shaped(schema.METERS, children("meters")),
    )


def _stand(
    kept: pl.DataFrame, wagers: pl.DataFrame, persons: pl.DataFrame, hands: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Lets the kept wagers stand, and with each its participant and its hand."""

    def standing(frame: pl.DataFrame, stands: pl.DataFrame, number: str) -> pl.DataFrame:
        frame = frame.join(stands.unique(), on=[TELLING, number], how="left", maintain_order="left")
        return frame.with_columns(is_current=pl.col("is_current") | pl.col("stands").fill_null(value=False)).drop("stands")

    held = wagers.join(kept, on=[TELLING, "wager_no"], how="inner")
    return (
        standing(wagers, kept, "wager_no"),
        standing(persons, held.select(TELLING, "participant_no", "stands"), "participant_no"),
        standing(hands, held.select(TELLING, "hand_no", "stands").drop_nulls(), "hand_no"),
    )


def _shaped(table: schema.Table, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.col(name).cast(kind) for name, kind in table.schema.items()).rechunk()
