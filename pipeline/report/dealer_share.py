"""How likely the dealer is to qualify with what the players' cards leave of the deck."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.cards import RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterable


def qualifying_chance(player_cards: pl.Expr, qualifier: str) -> pl.Expr:
    """The share of the remaining three-card hands that qualify, Float64.

    A hand below the qualifier has three different ranks below it, is of more than one suit and no straight; those are counted from how
    many cards of each rank and suit are left, with no hand enumerated.

    Args:
        player_cards: the cards that are gone, as a 52-bit mask (``settle.hands.card_bit``).
        qualifier: the lowest high card with which the dealer qualifies.
    """
    below = RANKS.index(qualifier)
    left = [_missing(player_cards, [_bit(rank, suit) for suit in range(len(SUITS))]) for rank in range(below)]
    left_of_suit = [_missing(player_cards, [_bit(rank, suit) for rank in range(below)]) for suit in range(len(SUITS))]
    different = _triples(left)
    suited = _sum(_choose_three(number) for number in left_of_suit)
    straights = _sum(left[rank] * left[rank + 1] * left[rank + 2] for rank in range(below - 2))
    suited_straights = _sum(
        (player_cards & sum(_bit(rank + step, suit) for step in range(3)) == 0).cast(pl.Int64)
        for rank in range(below - 2)
        for suit in range(len(SUITS))
    )
    unqualified = different - suited - straights + suited_straights
    return 1 - unqualified / _choose_three(52 - player_cards.bitwise_count_ones().cast(pl.Int64))


def _bit(rank: int, suit: int) -> int:
    return 1 << (len(RANKS) * suit + rank)


def _missing(cards: pl.Expr, bits: list[int]) -> pl.Expr:
    """How many of these cards are not gone."""
    return len(bits) - (cards & sum(bits)).bitwise_count_ones().cast(pl.Int64)


def _triples(numbers: list[pl.Expr]) -> pl.Expr:
    """The sum of the products of every three of them."""
    one, two, three = (_sum(number**power for number in numbers) for power in (1, 2, 3))
    return (one**3 - 3 * one * two + 2 * three) // 6


def _choose_three(number: pl.Expr) -> pl.Expr:
    return number * (number - 1) * (number - 2) // 6


def _sum(terms: Iterable[pl.Expr]) -> pl.Expr:
    return reduce(add, terms, pl.lit(0, pl.Int64))
