"""What the report says of the game itself: how the cards, the paytable lines and the dealer's hand came, beside what chance would do."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

ODD: Final = 0.001
"""A corrected probability below this stands out: on honest nights, one report in a thousand holds one."""


@dataclass(frozen=True, slots=True)
class LineTest:
    """How often a paytable line came, over the hands that its wager was staked on, each once; ``chance`` is exact, over every deal."""

    studio_id: str
    kind: str
    line: str
    odds: str | None
    hands: int
    seen: int
    chance: Fraction
    probability: float
    adjusted: float

    @property
    def expected(self) -> float:
        """How often it should have come on average."""
        return self.hands * float(self.chance)

    @property
    def deviation(self) -> float:
        """Seen less expected, in standard deviations."""
        chance = float(self.chance)
        return (self.seen - self.expected) / sqrt(self.hands * chance * (1 - chance))


@dataclass(frozen=True, slots=True)
class QualifyingTest:
    """How often the dealer qualified, beside what the cards left by the players made likely, round by round."""

    studio_id: str
    qualifier: str
    rounds: int
    seen: int
    expected: float
    deviation: float
    probability: float
    adjusted: float


@dataclass(frozen=True, slots=True)
class CardTest:
    """Whether the 52 cards came alike: over a table (``place`` null), or in one place of the hand over all tables (``table_id`` null)."""

    studio_id: str
    table_id: str | None
    is_dealer: bool
    place: int | None
    cards: int
    statistic: float
    probability: float
    adjusted: float


Test = LineTest | QualifyingTest | CardTest


@dataclass(frozen=True, slots=True)
class CardCount:
    """How often a card came in players' hands at a studio, and should have, in standard deviations too."""

    studio_id: str
    card: str
    seen: int
    expected: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Takings:
    """What a wager kind took in a currency on settled real-money wagers; shown, not tested.

    ``theoretical_hold`` is what the filings keep of the cash stakes on average, of ante and play at optimal play; null where unknown.
    """

    studio_id: str
    kind: str
    currency: str | None
    wagers: int
    handle: Decimal
    returned: Decimal
    hold: Decimal
    theoretical_hold: Decimal | None


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Whether the game behaved. ``adjusted`` probabilities are corrected for all ``tests`` of the report together (Holm).

    Attributes:
        lines: paytable lines.
        qualifying: the dealer's qualifying share.
        cards: whether the cards came alike.
        card_counts: card by card, for the picture.
        takings: money per wager.
        untested: what was too little to test, in words.
    """

    lines: tuple[LineTest, ...]
    qualifying: tuple[QualifyingTest, ...]
    cards: tuple[CardTest, ...]
    card_counts: tuple[CardCount, ...]
    takings: tuple[Takings, ...]
    untested: tuple[str, ...]

    @property
    def tests(self) -> tuple[Test, ...]:
        """Every test that was made."""
        return (*self.lines, *self.qualifying, *self.cards)

    @property
    def odd(self) -> tuple[Test, ...]:
        """Those that stand out."""
        return tuple(test for test in self.tests if test.adjusted < ODD)
