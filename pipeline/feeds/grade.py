"""What a feed is graded by: one that carries no cards is *money only*, and its wagers that hang on cards cannot be settled.

A reader says so of its feed where it knows (``schema.ROUNDS``, ``feed_lacks``). Of a studio's gaming day on which no card at all was read
or posted the same is taken to hold, whatever files it came in: so it does not hang on how a delivery was cut.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from pipeline.core.schema import Chunk
    from pipeline.feeds.chunks import Told
    from pipeline.feeds.stage import Stage

CARDS: Final = "cards"
NO_CARDS_ALL_DAY: Final = "cards_all_day"
"""Stands in ``feed_lacks`` where it was found and not declared."""

NO_CARDS: Final = "no_cards_in_feed"
"""Why a wager of such a feed cannot be settled."""


def graded(told: Iterable[Told], stage: Stage, night: tuple[str, date]) -> Iterator[Told]:
    """The chunks of a night with what was found of its feed in their rounds' ``feed_lacks``."""
    cardless = not stage.has_cards(night)
    for one in told:
        yield replace(one, chunk=_marked(one.chunk, cardless=cardless))


def no_cards() -> pl.Expr:
    """Whether a round comes from a feed without cards."""
    return pl.col("feed_lacks").list.set_intersection([CARDS, NO_CARDS_ALL_DAY]).list.len().fill_null(0) > 0


def _marked(chunk: Chunk, *, cardless: bool) -> Chunk:
    # What an earlier run found may hold no longer.
    declared = pl.col("feed_lacks").list.filter(pl.element() != NO_CARDS_ALL_DAY)
    lacks = declared.fill_null([]).list.concat(pl.lit([NO_CARDS_ALL_DAY])) if cardless else declared
    lacks = pl.when(pl.col("is_current")).then(lacks).otherwise(declared)
    return replace(chunk, rounds=chunk.rounds.with_columns(feed_lacks=pl.when(lacks.list.len() > 0).then(lacks)))
