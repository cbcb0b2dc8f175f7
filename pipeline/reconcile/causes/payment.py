"""Settling a case again with one rule broken: the way from cards to money as a chain of columns, each of which a lever can replace."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.money import micros
from pipeline.settle.prices import ONE, ZERO, rounded, stake_comes_back, winnings_fraction
from pipeline.settle.terms import CLASSES, WIN_CLASS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.settle.terms import Terms

IS_SHOWDOWN: Final = pl.col("is_ante") | pl.col("is_play")
ON_SIX: Final = (pl.col("judged_on") == "best_five_of_six").fill_null(value=False)
IS_SIDE: Final = ~IS_SHOWDOWN
PRICE_PARTS: Final = ("line", "basis", "num", "den", "odds", "flat")
LEVERS: Final = ("is_forfeit", "outcome", "main_class", "bonus_class", "main", "bonus", "amount")
"""The computed columns that a lever can replace, in the order in which they are computed; any other lever replaces a column of the case."""


def settled_again(cases: pl.DataFrame, terms: Terms, levers: Mapping[str, pl.Expr]) -> pl.LazyFrame:
    """The cases with ``amount``: all that is handed back, bonus included, in Int128 millionths; null where it cannot be told.

    Args:
        cases: see ``cases.cases_of``.
        terms: what is filed.
        levers: column to what stands there under the broken rule. A lever on one of ``LEVERS`` sees the rightly computed column under
            its own name, and everything computed before it.

    Returns:
        The cases with ``is_forfeit, outcome, main_class, bonus_class, main_*, bonus_*`` (the prices), ``main, bonus, amount``.
    """
    own = [lever.alias(name) for name, lever in levers.items() if name not in LEVERS]
    frame = cases.lazy().with_columns(own)

    def computed(frame: pl.LazyFrame, name: str, value: pl.Expr) -> pl.LazyFrame:
        frame = frame.with_columns(value.alias(name))
        return frame.with_columns(levers[name].alias(name)) if name in levers else frame

    frame = computed(frame, "is_forfeit", pl.col("folded") & (pl.col("is_ante") | pl.col("forfeited_by_fold")))
    frame = computed(frame, "outcome", pl.when(IS_SHOWDOWN).then(showdown()))
    hit = pl.when(ON_SIX).then("six_class").otherwise("three_class")
    won = pl.when(pl.col("outcome") == "win").then(pl.lit(WIN_CLASS, pl.UInt8))
    frame = computed(frame, "main_class", pl.when(IS_SIDE).then(hit).otherwise(won))
    frame = computed(frame, "bonus_class", pl.when(pl.col("is_ante")).then("three_class"))
    place = pl.col("offer_no") * CLASSES
    frame = frame.with_columns(
        pl.lit(terms.pays[part]).gather(place + pl.col(f"{price}_class")).alias(f"{price}_{part}")
        if terms.pays[part].count()
        else pl.lit(None, terms.pays[part].dtype).alias(f"{price}_{part}")
        for price in ("main", "bonus")
        for part in PRICE_PARTS
    )
    frame = computed(frame, "main", _main())
    frame = computed(frame, "bonus", _bonus())
    return computed(frame, "amount", pl.col("main") + pl.col("bonus"))


@cache
def showdown() -> pl.Expr:
    """What ante and play come to, from ``dealer_qualifies``, ``versus`` and ``tie_wins`` (58 Pa. Code § 649a.11)."""
    return (
        pl.when(~pl.col("dealer_qualifies"))
        .then(pl.when("is_ante").then(pl.lit("win")).otherwise(pl.lit("push")))
        .when(pl.col("versus") < 0)
        .then(pl.lit("lose"))
        .when((pl.col("versus") > 0) | (pl.col("tie_wins") & (pl.col("versus") == 0)))
        .then(pl.lit("win"))
        .when(pl.col("versus") == 0)
        .then(pl.lit("push"))
    )


def main_fraction() -> tuple[pl.Expr, pl.Expr]:
    """Numerator and denominator of what the wager itself hands back by its cards, bonus apart, before rounding."""
    winnings, shares = winnings_fraction("main")
    has_line = pl.col("main_line").is_not_null()
    winnings, shares = pl.when(has_line).then(winnings).otherwise(ZERO), pl.when(has_line).then(shares).otherwise(ONE)
    pushed = (pl.col("outcome") == "push").fill_null(value=False)
    stakes_back = (has_line & stake_comes_back("main").fill_null(value=False)) | pushed
    handed_back = winnings + (stakes_back.cast(pl.Int128) - pl.col("is_free").cast(pl.Int128)) * micros("stake") * shares
    return handed_back.clip(lower_bound=0), shares


def is_told() -> pl.Expr:
    """Whether the cards say what the wager hands back."""
    hit = pl.when(ON_SIX).then("six_class").otherwise("three_class")
    return pl.when(IS_SHOWDOWN).then(pl.col("outcome").is_not_null()).otherwise(hit.is_not_null())


@cache
def _main() -> pl.Expr:
    paid = rounded(*main_fraction(), "rounding", to_minor_unit=True)
    return pl.when("is_voided").then("refund").when("is_forfeit").then(ZERO).when(is_told()).then(paid)


@cache
def _bonus() -> pl.Expr:
    due = pl.col("is_ante") & ~pl.col("is_voided") & ~pl.col("is_forfeit") & pl.col("bonus_line").is_not_null()
    return pl.when(due).then(bonus_amount()).otherwise(ZERO)


def bonus_amount() -> pl.Expr:
    """The ante bonus of the line hit, whatever the decision; null where none was hit."""
    return rounded(*winnings_fraction("bonus"), "bonus_rounding", to_minor_unit=True)
