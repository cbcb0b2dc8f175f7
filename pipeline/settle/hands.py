"""Three cards: their category and strength, by arithmetic on ranks and suits.

A card is a number from 0 to 51 in the order of ``DECK``: rank times four plus suit, so that sorting cards sorts ranks. A hand is three
columns ``low``, ``middle``, ``high`` of such numbers in ascending order. Order of hands: the published rules of the game, as in 58 Pa.
Code § 649a: straight flush, three of a kind, straight, flush, pair, high card; A-K-Q is the highest straight and A-2-3 the lowest.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import polars as pl

from pipeline.core.cards import DECK, RANKS, THREE_CARD_CATEGORIES

CARD: Final = pl.Enum(DECK)
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH = range(6)
MINI_ROYAL, MINI_ROYAL_SPADES = 6, 7
THREE_CARD_CLASSES: Final = (*THREE_CARD_CATEGORIES, "mini_royal", "mini_royal_spades")
"""What a paytable line on three cards can name: the categories, then the straight flushes that have a line of their own."""

CLASS_CATEGORIES: Final = pl.Series([*THREE_CARD_CATEGORIES, "straight_flush", "straight_flush"])
"""The category of each of those classes."""

_BITS: Final = pl.Series([1 << (13 * (card % 4) + card // 4) for card in range(52)], dtype=pl.UInt64)
_TWO, _THREE, _QUEEN, _KING, _ACE = (RANKS.index(rank) for rank in "23QKA")
_SPADES: Final = 3


def card_number(text: pl.Expr) -> pl.Expr:
    """A card's number, 0 to 51; null for a text that is none of the 52."""
    return text.cast(CARD, strict=False).to_physical()


def card_bit(number: pl.Expr) -> pl.Expr:
    """A card's bit in a 52-bit mask that holds one block of 13 ranks for each suit, UInt64."""
    return pl.lit(_BITS).gather(number)


def rank(card: str) -> pl.Expr:
    """The rank of a card column, 0 (two) to 12 (ace)."""
    return pl.col(card) // 4


def three_card_class(low: str = "low", middle: str = "middle", high: str = "high") -> pl.Expr:
    """Index into ``THREE_CARD_CLASSES`` of three cards in ascending order, UInt8; null for null.

    A mini royal is ace, king and queen of one suit.
    """
    bottom, mid, top = rank(low), rank(middle), rank(high)
    one_suit = (pl.col(low) % 4 == pl.col(middle) % 4) & (pl.col(middle) % 4 == pl.col(high) % 4)
    in_a_row = ((bottom + 1 == mid) & (mid + 1 == top)) | ((bottom == _TWO) & (mid == _THREE) & (top == _ACE))
    found = {
        MINI_ROYAL_SPADES: one_suit & in_a_row & (bottom == _QUEEN) & (pl.col(low) % 4 == _SPADES),
        MINI_ROYAL: one_suit & in_a_row & (bottom == _QUEEN),
        STRAIGHT_FLUSH: one_suit & in_a_row,
        THREE_OF_A_KIND: bottom == top,
        STRAIGHT: in_a_row,
        FLUSH: one_suit,
        PAIR: (bottom == mid) | (mid == top),
        HIGH_CARD: top.is_not_null(),
    }
    return pl.coalesce(pl.when(holds).then(pl.lit(number, pl.UInt8)) for number, holds in found.items())


def strength(three_class: str = "three_class", low: str = "low", middle: str = "middle", high: str = "high") -> pl.Expr:
    """An Int32 that is greater for the better hand and equal for equal hands.

    Suits never rank. Pairs compare by the pair, then the odd card; flushes and high cards by highest, middle, lowest; of A-2-3 the
    three is the highest card.
    """
    bottom, mid, top = (rank(card).cast(pl.Int32) for card in (low, middle, high))
    category = pl.col(three_class).clip(upper_bound=STRAIGHT_FLUSH).cast(pl.Int32)
    within = (
        pl.when(category == PAIR)
        .then(mid * 13 + (bottom + top - mid))
        .when(category.is_in([STRAIGHT, STRAIGHT_FLUSH]))
        .then(pl.when((top == _ACE) & (bottom == _TWO)).then(_THREE).otherwise(top))
        .otherwise((top * 13 + mid) * 13 + bottom)
    )
    return category * 13**3 + within


@cache
def all_three_card_hands() -> pl.DataFrame:
    """All 22,100 hands.

    Returns:
        ``low, middle, high`` (UInt8, ascending), ``bits`` (UInt64, see ``card_bit``), ``three_class``, ``category`` (String) and
        ``strength`` (Int32).
    """
    deck = pl.LazyFrame({"card": pl.Series(range(52), dtype=pl.UInt8)})
    hands = (
        deck.select(low="card")
        .join_where(deck.select(middle="card"), pl.col("low") < pl.col("middle"))
        .join_where(deck.select(high="card"), pl.col("middle") < pl.col("high"))
        .sort("low", "middle", "high")
    )
    return (
        hands.with_columns(
            bits=card_bit(pl.col("low")) | card_bit(pl.col("middle")) | card_bit(pl.col("high")),
            three_class=three_card_class(),
        )
        .with_columns(category=pl.lit(CLASS_CATEGORIES).gather("three_class"), strength=strength())
        .collect(engine="in-memory")
    )
