"""Three cards as a broken rule may read them: which class they are and how strong, for either side of the table.

Sides are ``p`` (the player) and ``d`` (the dealer), with the columns ``{side}_low, _middle, _high`` (card numbers, ascending) and
``{side}_1, _2, _3`` in dealt order (null where the hand was not posted).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.reconcile.causes.payment import IS_SHOWDOWN, ON_SIX
from pipeline.settle.hands import PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND, strength, three_card_class

if TYPE_CHECKING:
    from collections.abc import Callable

PLAYER, DEALER = "p", "d"
SIDES: Final = (PLAYER, DEALER)
TWO, THREE, FOUR, TEN, JACK, QUEEN, KING, ACE = (RANKS.index(rank) for rank in "234TJQKA")
_CATEGORY: Final = 13**3


def ranks(side: str) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """The three ranks, low to high, Int32."""
    bottom, middle, top = ((pl.col(f"{side}_{place}") // 4).cast(pl.Int32) for place in ("low", "middle", "high"))
    return bottom, middle, top


def dealt(side: str) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """The three ranks in dealt order, Int32."""
    first, second, third = ((pl.col(f"{side}_{place}") // 4).cast(pl.Int32) for place in (1, 2, 3))
    return first, second, third


def class_of(side: str) -> pl.Expr:
    """The class as rightly read."""
    return pl.col("three_class" if side == PLAYER else "dealer_class")


def category_of(side: str) -> pl.Expr:
    """The class with all straight flushes as one, Int32."""
    return class_of(side).clip(upper_bound=STRAIGHT_FLUSH).cast(pl.Int32)


def is_one_suit(side: str) -> pl.Expr:
    """Whether all three are of one suit."""
    low, middle, high = (pl.col(f"{side}_{place}") % 4 for place in ("low", "middle", "high"))
    return (low == middle) & (middle == high)


def holds(side: str, *wanted: int) -> pl.Expr:
    """Whether the ranks are these, in ascending order."""
    return pl.all_horizontal(rank == value for rank, value in zip(ranks(side), wanted, strict=True))


def is_run(side: str) -> pl.Expr:
    """Whether it is a straight, of one suit or not."""
    return category_of(side).is_in([STRAIGHT, STRAIGHT_FLUSH])


def force_of(side: str) -> pl.Expr:
    """The strength as rightly read."""
    places = [f"{side}_{place}" for place in ("low", "middle", "high")]
    return strength("three_class" if side == PLAYER else "dealer_class", *places)


def force(category: pl.Expr, *order: pl.Expr) -> pl.Expr:
    """A strength from a category and up to three ranks, the first the weightiest; on the scale of ``force_of``."""
    within = pl.lit(0, pl.Int32)
    for rank in order:
        within = within * 13 + rank
    return category.cast(pl.Int32) * _CATEGORY + within


def top_down(side: str) -> tuple[pl.Expr, pl.Expr, pl.Expr]:
    """The ranks from the highest."""
    bottom, middle, top = ranks(side)
    return top, middle, bottom


def read_as(classes: Callable[[str], pl.Expr], forces: Callable[[str], pl.Expr]) -> dict[str, pl.Expr]:
    """Levers that read both hands in another way: prices, the comparison and the dealer's qualification follow."""
    return {
        "three_class": classes(PLAYER).cast(pl.UInt8),
        "dealer_class": classes(DEALER).cast(pl.UInt8),
        "versus": compared(forces),
        "dealer_qualifies": (classes(DEALER) >= PAIR) | (ranks(DEALER)[2] >= pl.col("threshold")),
    }


def compared_by(forces: Callable[[str], pl.Expr]) -> dict[str, pl.Expr]:
    """Levers that only compare the two hands in another way."""
    return {"versus": compared(forces)}


def compared(forces: Callable[[str], pl.Expr]) -> pl.Expr:
    """1 where the player's hand is the better one, 0 where they are equal, -1 where it is the worse."""
    return (forces(PLAYER) - forces(DEALER)).sign().cast(pl.Int8)


def on_either(concerned: Callable[[str], pl.Expr]) -> pl.Expr:
    """Cases judged on three cards where the player's hand, or in a showdown the dealer's, is such a one."""
    return ~ON_SIX & (concerned(PLAYER) | (IS_SHOWDOWN & concerned(DEALER)))


def both_of(*categories: int) -> pl.Expr:
    """Showdowns where both hands are of one of these categories: elsewhere an order within a category decides nothing."""
    alike = category_of(PLAYER) == category_of(DEALER)
    return IS_SHOWDOWN & alike & category_of(PLAYER).is_in(list(categories))


def read_again(frame: pl.DataFrame) -> pl.DataFrame:
    """Cases whose cards were replaced, with the classes, the comparison and the qualification of the new cards."""
    read = frame.with_columns(
        three_class=three_card_class("p_low", "p_middle", "p_high"), dealer_class=three_card_class("d_low", "d_middle", "d_high")
    )
    return read.with_columns(
        versus=compared(force_of),
        dealer_qualifies=(pl.col("dealer_class") >= PAIR) | (ranks(DEALER)[2] >= pl.col("threshold")),
    )


def trips(side: str) -> pl.Expr:
    """Whether it is three of a kind."""
    return category_of(side) == THREE_OF_A_KIND
