"""Hands ranked in the plainest way, for the simulator alone: the engines under test never use this.

Source: 58 Pa. Code § 649a.12 and the published rules of the game (three cards); ordinary poker order (best five of six).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from pipeline.core.cards import FIVE_CARD_CATEGORIES, RANKS, THREE_CARD_CATEGORIES

Cards = Sequence[str]

LESS_SPECIFIC: Final = {
    "mini_royal_spades": "mini_royal",
    "mini_royal": "straight_flush",
    "super_royal_diamonds": "six_card_royal",
    "super_royal_other": "six_card_royal",
    "six_card_royal": "royal_flush",
    "royal_flush": "straight_flush",
}
"""The line that pays where the filing has not the more specific one."""


class Strength(NamedTuple):
    """A three-card hand: its category's number, the ranks that break a tie, and its most specific line."""

    category: int
    ranks: tuple[int, ...]
    line: str


def ranks_of(cards: Cards) -> list[int]:
    """The ranks 2 to 14, high to low."""
    return sorted((RANKS.index(card[0]) + 2 for card in cards), reverse=True)


def one_suit(cards: Cards) -> bool:
    """Whether all cards are of one suit."""
    return len({card[1] for card in cards}) == 1


def is_run(ranks: Sequence[int]) -> bool:
    """Whether ranks (high to low) follow one another; the ace also stands below the two, and never in the middle."""
    low_ace = [14, *range(len(ranks), 1, -1)]
    return list(ranks) == low_ace or all(a == b + 1 for a, b in pairwise(ranks))


def strength(category: str, ranks: Sequence[int], line: str | None = None) -> Strength:
    """A strength from a category's name."""
    return Strength(THREE_CARD_CATEGORIES.index(category), tuple(ranks), line or category)


def three(cards: Cards) -> Strength:
    """Rank a three-card hand."""
    ranks = ranks_of(cards)
    counts = Counter(ranks)
    if len(counts) == 1:
        return strength("three_of_a_kind", ranks)
    if len(counts) == 2:
        pair = max(counts, key=lambda rank: counts[rank])
        return strength("pair", [pair, min(counts, key=lambda rank: counts[rank])])
    flush, run = one_suit(cards), is_run(ranks)
    if flush and ranks == [14, 13, 12]:
        return strength("straight_flush", [14], "mini_royal_spades" if cards[0][1] == "s" else "mini_royal")
    if run:
        return strength("straight_flush" if flush else "straight", [3 if ranks == [14, 3, 2] else ranks[0]])
    return strength("flush" if flush else "high_card", ranks)


def five(cards: Cards) -> str:
    """The category of a five-card hand."""
    ranks = ranks_of(cards)
    shape = sorted(Counter(ranks).values(), reverse=True)
    flush, run = one_suit(cards), is_run(ranks)
    named = {(4, 1): "four_of_a_kind", (3, 2): "full_house", (3, 1, 1): "three_of_a_kind", (2, 2, 1): "two_pair", (2, 1, 1, 1): "pair"}
    if tuple(shape) in named:
        return named[tuple(shape)]
    if flush and run:
        return "royal_flush" if ranks[-1] == 10 else "straight_flush"
    if flush:
        return "flush"
    return "straight" if run else "high_card"


def best_five(player: Cards, dealer: Cards) -> str:
    """The most specific line of the best five of a player's and the dealer's six cards."""
    six = [*player, *dealer]
    if one_suit(six) and ranks_of(six) == [14, 13, 12, 11, 10, 9]:
        return "super_royal_diamonds" if six[0][1] == "d" else "super_royal_other"
    return max((five(chosen) for chosen in combinations(six, 5)), key=FIVE_CARD_CATEGORIES.index)


def filed_line(line: str | None, odds: dict[str, str]) -> str | None:
    """The line that pays under these odds: the most specific filed one, or none."""
    while line is not None and line not in odds:
        line = LESS_SPECIFIC.get(line)
    return line
