"""The exact figures of a filing's wagers: fractions over every deal."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class LineEdge:
    """A paytable line and how often it pays; ``share`` is of all deals, of an ante bonus those that the player plays."""

    line: str
    odds: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Award:
    """A flat or meter line: ``share`` of all deals pay it, and the meter pays ``of_meter`` of itself (None for a flat amount)."""

    line: str
    odds: str
    share: Fraction
    flat: Decimal | None
    currency: str | None
    of_meter: Fraction | None


@dataclass(frozen=True, slots=True)
class WagerEdge:
    """The exact figures of one wager, in units of its stake; of ante and play, in units of the ante.

    Attributes:
        kind: the wager kind; ``ante`` stands for ante, play and ante bonus together.
        house_edge: what the house keeps on average; flat and meter awards count nothing here, see ``awards``.
        element_of_risk: the same over all that is staked on average.
        hit_frequency: how often something beyond the stake is won.
        variance: of the player's result.
        lines: each line that odds pay, the best first.
        awards: flat and meter lines.
        folds_cost: optimal play folds hands that would have won this forfeited wager, which the figures do not take off; None where that
            is not known, since it takes the dealer's cards as well.
        break_even_meter: the meter, in units of the stake, at which the house edge is nothing; None without a meter line.
    """

    kind: str
    house_edge: Fraction
    element_of_risk: Fraction
    hit_frequency: Fraction
    variance: Fraction
    lines: tuple[LineEdge, ...]
    awards: tuple[Award, ...] = ()
    break_even_meter: Fraction | None = None
    folds_cost: bool | None = False

    @property
    def standard_deviation(self) -> Decimal:
        """Of the player's result, to twelve digits."""
        with localcontext() as context:
            context.prec = 30
            root = (Decimal(self.variance.numerator) / Decimal(self.variance.denominator)).sqrt()
            context.prec = 12
            return +root


@dataclass(frozen=True, slots=True)
class Strategy:
    """Optimal play, hand by hand against every dealer hand that remains.

    Attributes:
        threshold: the weakest hand of the unbroken run of hands to play, like ``Q64``; None where every hand is folded.
        played: share of hands that are played.
        exceptions: hands weaker than the threshold that are played as well, because of their suits.
        value_at_threshold: what playing the threshold wins on average, in antes; a fold wins -1.
        value_below: what playing the best hand below it would win; None where there is none.
        play_result: what the play wager wins on average over all deals, in antes.
        folded_classes: what paytable lines call the hands that are folded.
    """

    threshold: str | None
    played: Fraction
    exceptions: int
    value_at_threshold: Fraction | None
    value_below: Fraction | None
    play_result: Fraction
    folded_classes: frozenset[str]


@dataclass(frozen=True, slots=True)
class FilingEdge:
    """What a filing's wagers cost, exactly."""

    filing_id: str
    revision: int
    dealer_qualifies: Fraction
    strategy: Strategy
    wagers: tuple[WagerEdge, ...]


def percent(share: Fraction, places: int = 4) -> str:
    """A fraction in percent, rounded half up, without the sign of percent: ``3.3730``."""
    scaled = abs(share) * 100 * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if share < 0 and whole else ""
    return f"{sign}{whole // 10**places}.{whole % 10**places:0{places}}"
