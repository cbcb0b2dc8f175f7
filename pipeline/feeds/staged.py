"""The shape of what is staged: seven frames of whole tellings, without what is known only when the delivery has been read whole.

A staged frame has the columns of its table in ``pipeline.core.schema`` save those that are the same for a whole round; ``telling`` names
the telling of a round instead, and ``*_no`` counts within it, from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final

import polars as pl

from pipeline.core import schema

TELLING: Final = "telling"
ROW_BITS: Final = 24
"""A telling's number is its block's number times 2^24 plus its row."""

_OF_ROUND: Final = frozenset({"studio_id", "gaming_day", "table_id", "round_id", "source_file", "source_line"})
_KEYS: Final = frozenset({"round_key", "hand_key", "participant_key", "wager_key", "is_current", "conflicting"})
_ROUND_EXTRA: Final[dict[str, schema.PolarsType]] = {
    "hour": pl.Int64, "n_wagers": pl.Int64, "round_hash": pl.UInt64, "text_hash": pl.UInt64, "text_hash_2": pl.UInt64,
}  # fmt: skip
_NUMBERS: Final = {
    "hands": ("hand_no",),
    "card_readings": ("hand_no",),
    "participants": ("participant_no", "hand_no"),
    "wagers": ("wager_no", "participant_no", "hand_no"),
    "displayed": ("display_no",),
    "meters": (),
}


def _staged(table: schema.Table) -> pl.Schema:
    of_round = table is schema.ROUNDS
    kept = {name: kind for name, kind in table.schema.items() if name not in _KEYS and (of_round or name not in _OF_ROUND)}
    columns: dict[str, schema.PolarsType] = {TELLING: pl.Int64, **dict.fromkeys(_NUMBERS.get(table.name, ()), pl.Int32), **kept}
    return pl.Schema(columns | _ROUND_EXTRA if of_round else columns)


STAGED: Final = {table.name: _staged(table) for table in schema.CHUNK_TABLES}
"""The columns of each staged frame."""


@dataclass(frozen=True, slots=True)
class StagedFrames:
    """The seven frames of some tellings, each sorted by ``telling`` and then in the order of the log."""

    rounds: pl.DataFrame
    hands: pl.DataFrame
    card_readings: pl.DataFrame
    participants: pl.DataFrame
    wagers: pl.DataFrame
    displayed: pl.DataFrame
    meters: pl.DataFrame

    def items(self) -> list[tuple[str, pl.DataFrame]]:
        """Name and frame of each table."""
        return [(one.name, getattr(self, one.name)) for one in fields(self)]

    def without(self, tellings: pl.Series) -> StagedFrames:
        """The frames without some tellings."""
        return StagedFrames(**{name: frame.filter(~pl.col(TELLING).is_in(tellings.implode())) for name, frame in self.items()})


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of rounds that were told more than once.

    Args:
        dropped: tellings that repeat another.
        placed: ``telling, nth, is_current, conflicting`` of each telling of a round told more than once; ``nth`` orders them.
        kept: ``telling, wager_no`` of wagers that stand although their telling does not.
    """

    dropped: pl.Series = field(default_factory=lambda: pl.Series(TELLING, [], dtype=pl.Int64))
    placed: pl.DataFrame = field(
        default_factory=lambda: pl.DataFrame(
            schema={TELLING: pl.Int64, "nth": pl.Int64, "is_current": pl.Boolean, "conflicting": pl.Boolean}
        )
    )
    kept: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema={TELLING: pl.Int64, "wager_no": pl.Int32}))

    def joined(self, other: Standing) -> Standing:
        """What stands of both; they have no telling in common."""
        return Standing(**{one.name: pl.concat([getattr(self, one.name), getattr(other, one.name)]) for one in fields(self)})


def round_hash() -> pl.Expr:
    """A hash of (studio, round): equal rounds have equal ones."""
    return pl.concat_str("studio_id", pl.lit("\n"), "round_id").hash(seed=3).alias("round_hash")


def slot_hour() -> pl.Expr:
    """The hour of ``dated_at``, counted from 1970 UTC."""
    return (pl.col("dated_at").dt.epoch("s") // 3600).alias("hour")
