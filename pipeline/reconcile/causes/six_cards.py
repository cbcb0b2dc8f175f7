"""Six cards: the best five of the player's and the dealer's cards seen as another category."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.cards import FIVE_CARD_CATEGORIES
from pipeline.reconcile.causes.cards import DEALER, PLAYER, ranks, trips
from pipeline.reconcile.causes.hypothesis import NARROW, USUAL, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import ON_SIX
from pipeline.settle.hands import FLUSH, HIGH_CARD, STRAIGHT, STRAIGHT_FLUSH, THREE_OF_A_KIND
from pipeline.settle.hands import PAIR as PAIR_OF_THREE

_HIGH, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH, _ROYAL = range(len(FIVE_CARD_CATEGORIES))
_OF_THREE: Final = {
    HIGH_CARD: _HIGH, PAIR_OF_THREE: _PAIR, FLUSH: _FLUSH, STRAIGHT: _STRAIGHT, THREE_OF_A_KIND: _TRIPS, STRAIGHT_FLUSH: _STRAIGHT_FLUSH,
}  # fmt: skip
_BIT: Final = pl.Series([1 << rank for rank in range(13)], dtype=pl.Int32)
_ROYAL_RANKS: Final = 0b11111 << 8
_CLASS: Final = pl.col("six_class")


def six_card_facts(cases: pl.DataFrame) -> pl.DataFrame:
    """Add ``six_ranks`` (how many ranks the six cards hold), ``six_holds_run``, ``six_holds_broadway`` and ``six_holds_four_run``."""
    bits = [pl.lit(_BIT).gather(rank) for side in (PLAYER, DEALER) for rank in ranks(side)]
    mask = bits[0]
    for bit in bits[1:]:
        mask = mask | bit
    ace_low_too = pl.col("six_mask") * 2 + pl.col("six_mask") // 2**12
    shifted = [ace_low_too // 2**places for places in range(5)]
    four = shifted[0] & shifted[1] & shifted[2] & shifted[3]
    return (
        cases.with_columns(six_mask=mask)
        .with_columns(
            six_ranks=pl.col("six_mask").bitwise_count_ones(),
            six_holds_run=(four & shifted[4]) != 0,
            six_holds_broadway=(pl.col("six_mask") & _ROYAL_RANKS) == _ROYAL_RANKS,
            six_holds_four_run=four != 0,
        )
        .drop("six_mask")
    )


def _seen_as(when: pl.Expr, category: int, detail: str | None = None) -> Way:
    """Hands for which this holds are seen as that category."""
    return Way(
        ON_SIX & when,
        {"six_class": pl.lit(category)},
        said(detail),
        by_detail=detail is not None,
    )


def _as_five(three_class: str) -> pl.Expr:
    """The five-card category of the name that three cards have."""
    of_three = [_OF_THREE[number] for number in range(STRAIGHT_FLUSH + 1)]
    return pl.lit(pl.Series(of_three, dtype=pl.UInt8)).gather(pl.col(three_class).clip(upper_bound=STRAIGHT_FLUSH))


def _read_as(category: int) -> str:
    return f"read as {FIVE_CARD_CATEGORIES[category].replace('_', ' ')}"


_THREE_PAIRS: Final = (_CLASS == _TWO_PAIR) & (pl.col("six_ranks") == 3)
_REPEATED: Final = pl.col("six_ranks") < 6
_SCATTERED: Final = (_CLASS == _TRIPS) & ~trips(PLAYER) & ~trips(DEALER)

SIX_CARDS: Final = (
    Hypothesis(
        "six_card_repeated_rank", NARROW, "a rank that stands twice hides a straight",
        (
            _seen_as((_CLASS == _STRAIGHT) & _REPEATED, _PAIR),
            _seen_as((_CLASS == _STRAIGHT) & _REPEATED, _HIGH, "and the pair is not seen either"),
            _seen_as(_CLASS.is_in([_STRAIGHT_FLUSH, _ROYAL]) & _REPEATED, _FLUSH, "a straight flush read as flush"),
        ),
    ),
    Hypothesis(
        "six_card_three_pairs", NARROW, "three pairs are read as something else",
        tuple(_seen_as(_THREE_PAIRS, category, _read_as(category)) for category in (_FULL_HOUSE, _TRIPS, _FOUR, _PAIR, _HIGH)),
    ),
    Hypothesis(
        "six_card_four_run", NARROW, "four cards in a row are taken for a straight",
        (_seen_as((_CLASS < _STRAIGHT) & pl.col("six_holds_four_run"), _STRAIGHT),),
    ),
    Hypothesis(
        "six_card_full_house_missed", NARROW, "a full house is not seen",
        (
            _seen_as(_CLASS == _FULL_HOUSE, _TRIPS),
            _seen_as((_CLASS == _FULL_HOUSE) & (pl.col("six_ranks") == 2), _TRIPS, "where the six cards are two threes of a kind"),
            _seen_as((_CLASS == _FULL_HOUSE) & (pl.col("six_ranks") == 3), _TRIPS, "where the six cards are three, two and one of a kind"),
            _seen_as(_CLASS == _FULL_HOUSE, _TWO_PAIR, "read as two pair"),
        ),
    ),
    Hypothesis(
        "six_card_split_straight_flush", NARROW, "a straight and a flush of different cards are taken for a straight flush",
        (
            _seen_as((_CLASS == _FLUSH) & pl.col("six_holds_run"), _STRAIGHT_FLUSH),
            _seen_as((_CLASS == _FLUSH) & pl.col("six_holds_broadway"), _ROYAL, "taken for a royal flush"),
            _seen_as((_CLASS == _STRAIGHT_FLUSH) & pl.col("six_holds_broadway"), _ROYAL, "taken for a royal flush"),
        ),
    ),
    Hypothesis(
        "six_card_trips_in_one_hand", NARROW, "three of a kind is seen only within the player's or the dealer's own cards",
        (_seen_as(_SCATTERED, _PAIR),),
    ),
    Hypothesis(
        "six_card_from_three", USUAL, "the best five of six is judged on three cards",
        (
            Way(ON_SIX & pl.col("three_class").is_not_null(), {"six_class": _as_five("three_class")}),
            Way(ON_SIX & pl.col("dealer_class").is_not_null(), {"six_class": _as_five("dealer_class")}, said("on the dealer's")),
        ),
    ),
)  # fmt: skip
