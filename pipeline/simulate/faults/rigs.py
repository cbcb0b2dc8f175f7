"""Cards that give a rare fault an opening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.core.cards import SUITS
from pipeline.simulate.deal import Rig

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


def rigged(player: str = "", dealer: str = "", decision: str | None = None, *, same_suits: bool = False) -> Callable[[Random], Rig]:
    """A rig from cards like ``"Ks Ad 2c"``; the suits are relabelled by chance unless they matter."""

    def rig(rng: Random) -> Rig:
        names = dict(zip(SUITS, SUITS if same_suits else rng.sample(SUITS, 4), strict=True))

        def cards(text: str) -> tuple[str, ...] | None:
            found = tuple(card[0] + names[card[1]] for card in text.split())
            return tuple(rng.sample(found, len(found))) if found else None

        return Rig(cards(player), cards(dealer), decision)

    return rig
