"""The 52 cards and the names of the hand categories, as every room spells them.

The two engines parse cards on their own; only the spelling is shared.
"""

from __future__ import annotations

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)

THREE_CARD_CATEGORIES: Final = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
"""Low to high (58 Pa. Code § 649a.12 and the published rules of the game)."""

FIVE_CARD_CATEGORIES: Final = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush",
    "royal_flush",
)  # fmt: skip
"""Low to high, ordinary poker order."""
