"""Every deal there is, counted: what the exact house edge rests on (22,100 hands, 407,170,400 deals, 20,358,520 six-card hands)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.settle.hands import HIGH_CARD, PAIR, THREE_CARD_CLASSES, all_three_card_hands

HANDS: Final = 22_100
"""Three-card hands."""
DEALERS: Final = 18_424
"""Dealer hands beside any one player hand."""
SIX_CARD_HANDS: Final = 20_358_520
"""Six-card hands."""
SIX_CARD_COUNTS: Final = {
    "high_card": 6_612_900, "pair": 9_730_740, "two_pair": 2_532_816, "three_of_a_kind": 732_160, "straight": 361_620, "flush": 205_792,
    "full_house": 165_984, "four_of_a_kind": 14_664, "straight_flush": 1_656, "royal_flush": 184, "super_royal_other": 3,
    "super_royal_diamonds": 1,
}  # fmt: skip
"""How many of them are of each class, by its most specific name; a test counts them anew."""


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """A player hand for all that are it but for the names of the suits, against all 18,424 dealer hands.

    Attributes:
        ranks: its ranks, the highest first, like ``Q64``.
        three_class: what paytable lines call it, the most specific (``settle.hands.THREE_CARD_CLASSES``).
        strength: greater for the better hand, equal for equal hands.
        ways: how many of the 22,100 hands it stands for.
        unqualified: dealer hands that do not qualify.
        better: qualifying dealer hands that it beats.
        equal: qualifying dealer hands that it ties.
        worse: qualifying dealer hands that beat it.
    """

    ranks: str
    three_class: str
    strength: int
    ways: int
    unqualified: int
    better: int
    equal: int
    worse: int


@cache
def three_card_counts() -> dict[str, int]:
    """How many of the 22,100 hands are of each class, by its most specific name."""
    counts = all_three_card_hands().group_by("three_class").len()
    return {THREE_CARD_CLASSES[number]: count for number, count in counts.sort("three_class").rows()}


@cache
def qualifying_hands(qualifier: str) -> int:
    """How many of the 22,100 hands qualify for the dealer whose lowest qualifying high card is this rank."""
    return all_three_card_hands().filter(_qualifies(qualifier)).height


@cache
def player_hands(qualifier: str) -> tuple[PlayerHand, ...]:
    """Every player hand against every dealer hand that the deck still allows, the weakest first.

    Args:
        qualifier: the lowest high card with which the dealer qualifies.
    """
    hands = all_three_card_hands()
    low, middle, high = (pl.col(name) // 4 for name in ("low", "middle", "high"))
    suits = [pl.col(name) % 4 for name in ("low", "middle", "high")]
    same = [suits[0] == suits[1], suits[1] == suits[2], suits[0] == suits[2]]
    # Of a pair, either card may share its suit with the odd one: the two ways are one hand.
    odd = pl.any_horizontal(same)
    players = (
        hands.with_columns(
            pattern=pl.when(pl.col("three_class") == PAIR).then(odd.cast(pl.Int32)).otherwise(pl.sum_horizontal(
                flag.cast(pl.Int32) * 2**place for place, flag in enumerate(same)
            )),
            low_rank=low, middle_rank=middle, high_rank=high,
        )
        .group_by("low_rank", "middle_rank", "high_rank", "pattern", "three_class")
        .agg(pl.col("bits").min(), pl.col("strength").first(), ways=pl.len())
    )  # fmt: skip
    players = players.sort("strength", "pattern", "three_class")
    # The dealers in their order, those that do not qualify behind all others.
    last = pl.lit(players["strength"].max()) + 1
    dealers = hands.select("bits", strength=pl.when(_qualifies(qualifier)).then("strength").otherwise(last)).sort("strength")
    bits, strengths = dealers.get_columns()
    qualifying = qualifying_hands(qualifier)
    beaten, reached = (strengths.search_sorted(players["strength"], side).to_list() for side in ("left", "right"))

    def against(hand: int, weaker: int, not_better: int) -> tuple[int, int, int, int]:
        free = (bits & hand) == 0
        runs = (free[qualifying:], free[:weaker], free[weaker:not_better], free[not_better:qualifying])
        unqualified, better, equal, worse = (int(run.sum()) for run in runs)
        return unqualified, better, equal, worse

    told = players.select("high_rank", "middle_rank", "low_rank", "three_class", "strength", "ways", "bits").iter_rows()
    return tuple(
        PlayerHand(
            f"{RANKS[high]}{RANKS[middle]}{RANKS[low]}", THREE_CARD_CLASSES[three_class], strength, ways, *against(hand, weaker, not_better)
        )
        for (high, middle, low, three_class, strength, ways, hand), weaker, not_better in zip(told, beaten, reached, strict=True)
    )


def _qualifies(qualifier: str) -> pl.Expr:
    return (pl.col("three_class") > HIGH_CARD) | (pl.col("high") // 4 >= RANKS.index(qualifier))
