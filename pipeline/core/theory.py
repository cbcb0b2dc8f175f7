"""What a filed wager keeps for the house on average, exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SIXTH = 1_000_000


@dataclass(frozen=True, slots=True)
class Expected:
    """A wager kind of a filing.

    Attributes:
        edge: what the house keeps of one unit staked, flat and meter awards apart; of ante and play, where the player plays optimally.
        flat: currency to what flat awards are worth to the player, a wager.
    """

    edge: Fraction
    flat: Mapping[str, Fraction] = field(default_factory=dict)

    def hold(self, handle: Decimal, wagers: int, currency: str | None) -> Decimal:
        """What the house keeps on average of so much staked with so many wagers, half up at the sixth decimal; meter awards apart."""
        kept = Fraction(handle) * self.edge - wagers * self.flat.get(currency or "", Fraction(0))
        scaled = abs(kept) * _SIXTH
        whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
        return Decimal(f"{'-' if kept < 0 and whole else ''}{whole // _SIXTH}.{whole % _SIXTH:06}")


Theory = dict[tuple[str, str], Expected]
"""By fingerprint of the filing and wager kind."""
