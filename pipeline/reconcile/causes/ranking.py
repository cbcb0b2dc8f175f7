"""Hand ranking: three cards seen as another category, or compared in another order.

A hand is read in the wrong way on both sides of the table, and prices, ante bonus, comparison and qualification follow from it, as they
do in software that ranks a hand once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.reconcile.causes.cards import (
    ACE,
    DEALER,
    FOUR,
    JACK,
    KING,
    PLAYER,
    QUEEN,
    TEN,
    THREE,
    TWO,
    both_of,
    category_of,
    class_of,
    compared_by,
    dealt,
    force,
    force_of,
    holds,
    is_one_suit,
    is_run,
    on_either,
    ranks,
    read_as,
    top_down,
    trips,
)  # fmt: skip
from pipeline.reconcile.causes.hypothesis import NARROW, USUAL, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import IS_SHOWDOWN, ON_SIX
from pipeline.reconcile.causes.text_order import TEXT_WAYS
from pipeline.settle.hands import FLUSH, HIGH_CARD, MINI_ROYAL, MINI_ROYAL_SPADES, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND
from pipeline.settle.six_cards import SIX_CARD_CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable

_LOWEST_KICKERS: Final = THREE + TWO
_RANKS_FROM_TWO: Final = 2 * 2
"""Ranks count from 0 here and from 2 in a sum that software makes: the sum of three is six more, the threshold's rank two more."""

_LOWEST, _HIGHEST, _ABOVE_ALL = TWO, ACE, ACE + 1


def _no_run(seen: Callable[[str], pl.Expr], detail: str | None = None) -> Way:
    """Such straights are not seen: one suit makes a flush of them, several a high card."""

    def classes(side: str) -> pl.Expr:
        broken = pl.when(is_one_suit(side)).then(pl.lit(FLUSH)).otherwise(pl.lit(HIGH_CARD))
        return pl.when(seen(side)).then(broken).otherwise(class_of(side))

    def forces(side: str) -> pl.Expr:
        return pl.when(seen(side)).then(force(classes(side), *top_down(side))).otherwise(force_of(side))

    return Way(on_either(seen), read_as(classes, forces), said(detail))


def _worth(seen: Callable[[str], pl.Expr], top: int, detail: str | None = None) -> Way:
    """Such straights compare as if this were their highest rank."""

    def forces(side: str) -> pl.Expr:
        return pl.when(seen(side)).then(force(category_of(side), pl.lit(top, pl.Int32))).otherwise(force_of(side))

    return Way(IS_SHOWDOWN & is_run(PLAYER) & is_run(DEALER) & on_either(seen), compared_by(forces), said(detail))


def _false_run(top: int) -> Way:
    """K-A-2, A-3-4, 10-J-A or A-A-2 taken for a straight with this highest rank."""
    names = {"K-A-2": (TWO, KING, ACE), "A-3-4": (THREE, FOUR, ACE), "10-J-A": (TEN, JACK, ACE), "A-A-2": (TWO, ACE, ACE)}

    def seen(side: str) -> pl.Expr:
        return pl.any_horizontal(holds(side, *pattern) for pattern in names.values())

    def classes(side: str) -> pl.Expr:
        straight = pl.when(is_one_suit(side)).then(pl.lit(STRAIGHT_FLUSH)).otherwise(pl.lit(STRAIGHT))
        return pl.when(seen(side)).then(straight).otherwise(class_of(side))

    def forces(side: str) -> pl.Expr:
        return pl.when(seen(side)).then(force(classes(side), pl.lit(top, pl.Int32))).otherwise(force_of(side))

    which = pl.coalesce(
        pl.when(holds(side, *pattern)).then(said(f"{name} taken for a straight"))
        for side in (PLAYER, DEALER)
        for name, pattern in names.items()
    )
    return Way(on_either(seen), read_as(classes, forces), which, by_detail=True)


def _aces_tied() -> Way:
    """A-2-3 and A-K-Q tie, since both hold an ace as their highest card."""
    facing = (_ace_low(PLAYER) & _ace_high(DEALER)) | (_ace_high(PLAYER) & _ace_low(DEALER))
    return Way(IS_SHOWDOWN & (category_of(PLAYER) == category_of(DEALER)) & facing, {"versus": pl.lit(0, pl.Int8)}, said("with A-K-Q"))


def _trips_as_pair() -> Way:
    def classes(side: str) -> pl.Expr:
        return pl.when(trips(side)).then(pl.lit(PAIR)).otherwise(class_of(side))

    def forces(side: str) -> pl.Expr:
        return pl.when(trips(side)).then(force(pl.lit(PAIR), ranks(side)[1], ranks(side)[1])).otherwise(force_of(side))

    return Way(on_either(trips), read_as(classes, forces))


def _within(categories: tuple[int, ...], order: Callable[[str], tuple[pl.Expr, ...]], detail: str | None = None) -> Way:
    """Hands of these categories compare by another order of their ranks."""

    def forces(side: str) -> pl.Expr:
        return pl.when(category_of(side).is_in(list(categories))).then(force(category_of(side), *order(side))).otherwise(force_of(side))

    return Way(both_of(*categories), compared_by(forces), said(detail))


def _also_qualifying(way: Way, reaches: pl.Expr, detail: str) -> Way:
    """The same, where the dealer's high card is held against the filed one in that order too."""
    told = {"dealer_qualifies": (pl.col("dealer_class") >= PAIR) | reaches}
    return Way(IS_SHOWDOWN & pl.col("versus").is_not_null(), {**way.levers, **told}, said(detail))


def _high_cards(order: Callable[[str], tuple[pl.Expr, ...]], reaches: pl.Expr) -> tuple[Way, ...]:
    """High cards, and high cards and flushes, in another order; the dealer's qualification read rightly or in that order too."""
    alone, flushes = _within((HIGH_CARD,), order), _within((HIGH_CARD, FLUSH), order, "of flushes too")
    return (
        alone,
        flushes,
        _also_qualifying(alone, reaches, "in the dealer's qualification too"),
        _also_qualifying(flushes, reaches, "of flushes and in the dealer's qualification too"),
    )


def _sum(side: str) -> tuple[pl.Expr, ...]:
    bottom, middle, top = ranks(side)
    return (bottom + middle + top,)


def _kicker(side: str) -> pl.Expr:
    bottom, middle, top = ranks(side)
    return bottom + top - middle


def _order_of_five() -> tuple[Way, ...]:
    """Five-card order among three cards, three-card order among six, or the two prices changed over."""
    orders = {
        "a flush above a straight": {FLUSH: STRAIGHT, STRAIGHT: FLUSH},
        "three of a kind below straight and flush": {THREE_OF_A_KIND: FLUSH, STRAIGHT: STRAIGHT, FLUSH: THREE_OF_A_KIND},
        "three of a kind below a straight": {THREE_OF_A_KIND: STRAIGHT, STRAIGHT: THREE_OF_A_KIND},
    }
    compared = [
        Way(
            IS_SHOWDOWN & on_either(lambda side: category_of(side).is_in([FLUSH, STRAIGHT, THREE_OF_A_KIND])),
            compared_by(lambda side, places=places: force_of(side) + (category_of(side).replace(places) - category_of(side)) * 13**3),  # type: ignore[misc]
            said(detail),
            by_detail=True,
        )
        for detail, places in orders.items()
    ]
    six = [SIX_CARD_CLASSES.index(name) for name in ("flush", "straight")]
    on_six = Way(
        ON_SIX & (pl.col("six_class") == six[0]) & pl.col("six_holds_run"),
        {"six_class": pl.lit(six[1], pl.UInt8)},
        said("a straight put above a flush of the same six cards"),
    )
    changed = pl.when(pl.col("three_class") == FLUSH).then(pl.lit(STRAIGHT, pl.UInt8)).otherwise(pl.lit(FLUSH, pl.UInt8))
    priced = Way(
        ~ON_SIX & ~IS_SHOWDOWN & pl.col("three_class").is_in([FLUSH, STRAIGHT]),
        {"three_class": changed},
        said("flush and straight paid at each other's price"),
    )
    return (*compared, on_six, priced)


def _dealt_order() -> tuple[Way, ...]:
    def unsorted(side: str) -> pl.Expr:
        first, second, third = dealt(side)
        return is_run(side) & ~((first + 1 == second) & (second + 1 == third))

    def unsorted_either_way(side: str) -> pl.Expr:
        first, second, third = dealt(side)
        return unsorted(side) & ~((first - 1 == second) & (second - 1 == third))

    def parted(side: str) -> pl.Expr:
        first, second, _ = dealt(side)
        return (category_of(side) == PAIR) & (first != second) & (second != dealt(side)[2])

    def classes(side: str) -> pl.Expr:
        return pl.when(parted(side)).then(pl.lit(HIGH_CARD)).otherwise(class_of(side))

    def forces(side: str) -> pl.Expr:
        return pl.when(parted(side)).then(force(pl.lit(HIGH_CARD), *top_down(side))).otherwise(force_of(side))

    return (
        _within((HIGH_CARD,), dealt, "high cards compared in dealt order"),
        _within((HIGH_CARD, FLUSH), dealt, "high cards and flushes compared in dealt order"),
        _no_run(unsorted, "a straight seen only where it is dealt from the lowest card up"),
        _no_run(unsorted_either_way, "a straight seen only where it is dealt in order"),
        Way(on_either(parted), read_as(classes, forces), said("a pair seen only where it is dealt side by side")),
    )


def _pair_by_wrong_card() -> tuple[Way, ...]:
    return (
        _within((PAIR,), lambda side: (_kicker(side), ranks(side)[1]), "the odd card taken for the pair's rank"),
        _within((PAIR,), lambda side: (ranks(side)[0], ranks(side)[2]), "the lowest card taken for the pair's rank"),
        _within((PAIR,), lambda side: (dealt(side)[0], _kicker(side)), "the first card dealt taken for the pair's rank"),
        _within((PAIR,), lambda side: (ranks(side)[2], ranks(side)[0]), "the highest card taken for the pair's rank"),
    )


def _swapped() -> tuple[Way, ...]:
    changed = {
        "three_class": pl.col("dealer_class"),
        "dealer_class": pl.col("three_class"),
        "versus": -pl.col("versus"),
        "dealer_qualifies": (pl.col("three_class") >= PAIR) | (ranks(PLAYER)[2] >= pl.col("threshold")),
    }
    known = pl.col("dealer_class").is_not_null() & pl.col("three_class").is_not_null()
    return (
        Way(known & ~ON_SIX, changed, said("the dealer's hand taken for the player's and the player's for the dealer's")),
        Way(IS_SHOWDOWN & known, {"versus": -pl.col("versus")}, said("the comparison read from the other side")),
    )


def _mini_missed() -> tuple[Way, ...]:
    mini = ~ON_SIX & (pl.col("three_class") >= MINI_ROYAL).fill_null(value=False)
    return (
        Way(mini, {"three_class": pl.lit(STRAIGHT_FLUSH, pl.UInt8)}, said("paid as a straight flush")),
        Way(
            mini & (pl.col("three_class") == MINI_ROYAL_SPADES),
            {"three_class": pl.lit(MINI_ROYAL, pl.UInt8)},
            said("paid as of another suit"),
        ),
    )


def _ace_low(side: str) -> pl.Expr:
    return holds(side, TWO, THREE, ACE)


def _ace_high(side: str) -> pl.Expr:
    return holds(side, QUEEN, KING, ACE)


RANKING: Final = (
    Hypothesis("ace_low_straight_missed", NARROW, "A-2-3 is not seen as a straight", (_no_run(_ace_low),)),
    Hypothesis(
        "ace_low_straight_too_high", NARROW, "A-2-3 compares as the highest straight",
        (_worth(_ace_low, _HIGHEST), _worth(_ace_low, _ABOVE_ALL)),
    ),
    Hypothesis(
        "ace_low_straight_tied", NARROW, "A-2-3 ties with another straight: with 2-3-4 where the lowest card is compared, or with A-K-Q",
        (_worth(_ace_low, FOUR, "with 2-3-4"), _aces_tied()),
    ),
    Hypothesis("ace_high_straight_missed", NARROW, "A-K-Q is not seen as a straight", (_no_run(_ace_high),)),
    Hypothesis(
        "false_straight", NARROW, "K-A-2, A-3-4, 10-J-A or A-A-2 is taken for a straight",
        (_false_run(_LOWEST), _false_run(_HIGHEST)),
    ),
    Hypothesis("straight_missed", USUAL, "no straight is seen", (_no_run(is_run), _no_run(lambda side: category_of(side) == STRAIGHT))),
    Hypothesis("five_card_order", NARROW, "flush, straight and three of a kind stand in the order of another game", _order_of_five()),
    Hypothesis("trips_read_as_pair", NARROW, "three of a kind is read as a pair", (_trips_as_pair(),)),
    Hypothesis("pair_rank_ignored", NARROW, "pairs compare by the highest card first", (_within((PAIR,), top_down),)),
    Hypothesis("pair_rank_wrong_card", NARROW, "pairs compare by a card that is not the pair's", _pair_by_wrong_card()),
    Hypothesis(
        "ranks_summed", NARROW, "hands of one category compare by the sum of their ranks",
        (
            *_high_cards(_sum, _sum(DEALER)[0] >= pl.col("threshold") + _LOWEST_KICKERS),
            *_high_cards(_sum, _sum(DEALER)[0] > pl.col("threshold") - _RANKS_FROM_TWO)[2:],
            _within((HIGH_CARD, FLUSH, PAIR), _sum, "of high cards, flushes and pairs"),
        ),
    ),
    Hypothesis("pair_kicker_ignored", NARROW, "equal pairs tie whatever the odd card", (_within((PAIR,), lambda side: (ranks(side)[1],)),)),
    Hypothesis(
        "kickers_ignored", NARROW, "high cards compare by the highest card alone",
        (
            *_high_cards(lambda side: top_down(side)[:1], ranks(DEALER)[2] > pl.col("threshold")),
            _within((HIGH_CARD,), lambda side: top_down(side)[:2], "the lowest card alone is left out"),
            _within((HIGH_CARD, FLUSH), lambda side: top_down(side)[:2], "the lowest card alone is left out, of flushes too"),
        ),
    ),
    Hypothesis(
        "lowest_card_first", NARROW, "high cards compare from the lowest card up",
        _high_cards(ranks, ranks(DEALER)[0] >= pl.col("threshold")),
    ),
    Hypothesis("dealt_order_dependent", NARROW, "cards are read in the order in which they were dealt", _dealt_order()),
    Hypothesis("ranks_as_text", NARROW, "ranks compare as text", TEXT_WAYS),
    Hypothesis("mini_royal_missed", NARROW, "A-K-Q of one suit is not seen as a mini royal", _mini_missed()),
    Hypothesis("sides_swapped", USUAL, "the player's and the dealer's hand are taken for each other", _swapped()),
)  # fmt: skip
"""All but ``mini_royal_unfiled``, which is a price and stands with the paytables."""
