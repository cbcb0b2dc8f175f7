"""Six cards: the category of the best five of them, by arithmetic on the masks of ranks that each suit holds.

Order of hands: ordinary poker, in which a flush beats a straight. A six-card royal is nine to ace of one suit (58 Pa. Code
§ 649b.5(b)); a filed Super Royal is one too, by its suit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.cards import FIVE_CARD_CATEGORIES, RANKS

if TYPE_CHECKING:
    from collections.abc import Iterable

SIX_CARD_ROYAL_OTHER, SIX_CARD_ROYAL_DIAMONDS = 10, 11
SIX_CARD_CLASSES: Final = (*FIVE_CARD_CATEGORIES, "super_royal_other", "super_royal_diamonds")
"""What a paytable line on six cards can name: the five-card categories, then the six-card royals by suit."""

CLASS_CATEGORIES: Final = pl.Series([*FIVE_CARD_CATEGORIES, "royal_flush", "royal_flush"])
"""The category of each of those classes."""

_ALL_RANKS: Final = 2**13 - 1
_ROYAL: Final = 0b11111 << RANKS.index("T")
_NINE_TO_ACE: Final = 0b111111 << RANKS.index("9")
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def six_card_classes(bits: pl.Series) -> pl.Series:
    """Index into ``SIX_CARD_CLASSES`` of six distinct cards, UInt8.

    Args:
        bits: the six cards as a 52-bit mask, see ``hands.card_bit``; null gives null.
    """
    suits = pl.DataFrame({"bits": bits}).select(_suit_mask(suit, place) for place, suit in enumerate(_SUITS))
    clubs, diamonds, hearts, spades = (pl.col(suit) for suit in _SUITS)
    counted = suits.with_columns(
        once=clubs | diamonds | hearts | spades,
        twice=(clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades)),
        thrice=(clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds)),
        four_times=clubs & diamonds & hearts & spades,
    ).with_columns(two_ranks_twice=pl.col("twice").bitwise_count_ones() >= 2)
    found = {
        "super_royal_diamonds": diamonds & _NINE_TO_ACE == _NINE_TO_ACE,
        "super_royal_other": _any(pl.col(suit) & _NINE_TO_ACE == _NINE_TO_ACE for suit in _SUITS),
        "royal_flush": _any(pl.col(suit) & _ROYAL == _ROYAL for suit in _SUITS),
        "straight_flush": _any(_five_in_a_row(suit) for suit in _SUITS),
        "four_of_a_kind": pl.col("four_times") != 0,
        "full_house": (pl.col("thrice") != 0) & pl.col("two_ranks_twice"),
        "flush": _any(pl.col(suit).bitwise_count_ones() >= 5 for suit in _SUITS),
        "straight": _five_in_a_row("once"),
        "three_of_a_kind": pl.col("thrice") != 0,
        "two_pair": pl.col("two_ranks_twice"),
        "pair": pl.col("twice") != 0,
        "high_card": pl.col("once").is_not_null(),
    }
    best = pl.coalesce(pl.when(holds).then(pl.lit(SIX_CARD_CLASSES.index(name), pl.UInt8)) for name, holds in found.items())
    return counted.select(six_class=best).to_series()


def _suit_mask(suit: str, place: int) -> pl.Expr:
    """The ranks that the hand holds of one suit, a bit for each."""
    return ((pl.col("bits") // int(2 ** (13 * place))) & _ALL_RANKS).cast(pl.UInt16).alias(suit)


def _five_in_a_row(ranks: str) -> pl.Expr:
    ace_low_too = pl.col(ranks) * 2 + pl.col(ranks) // int(2 ** RANKS.index("A"))
    runs_of_two = ace_low_too & (ace_low_too // 2)
    return runs_of_two & (runs_of_two // 4) & (ace_low_too // 16) > 0


def _any(conditions: Iterable[pl.Expr]) -> pl.Expr:
    return pl.any_horizontal(*conditions)
