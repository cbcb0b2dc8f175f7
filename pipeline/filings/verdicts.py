"""A verdict on one line or rule of a filing, and how prices compare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from pipeline.filings.catalogue import Term
    from pipeline.filings.price import Price

WARNING_DAYS: Final = 90
"""Days before the end of a chapter within which it counts as expiring."""

LICENSED: Final = "licensed"
OPEN: Final = "open"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the catalogue says of one line or rule.

    Attributes:
        kind: the wager kind; ``ante`` for what concerns the main game.
        key: the filing's key that it is about, like ``pair_plus.odds.straight``.
        line: the paytable line; None where it is about the whole wager or a rule.
        status: ``licensed``, ``open`` (the sources give no price) or the id of the check that it fails.
        message: a clause that says what is filed and what is licensed.
        citation: the section of 58 Pa. Code.
        valid_from: first calendar day on which the verdict holds; None: from ever.
        valid_to: last such day; None: for ever.
        timezone: IANA zone of those days; None where there are none.
    """

    kind: str
    key: str
    line: str | None
    status: str
    message: str
    citation: str
    valid_from: date | None = None
    valid_to: date | None = None
    timezone: str | None = None

    @property
    def check_id(self) -> str | None:
        """The check that it fails; None where it is licensed or open."""
        return None if self.status in {LICENSED, OPEN} else self.status


def winnings(price: Price, *, holds_stake: bool = True) -> Fraction | None:
    """What a price wins for one unit staked; None for a flat or meter price.

    Args:
        price: the price.
        holds_stake: the wager holds a stake, of which "x for y" hands back nothing beside; a bonus holds none.
    """
    if price.num is None or price.den is None or price.basis == "meter":
        return None
    won = Fraction(price.num, price.den)
    return won - 1 if price.basis == "for" and holds_stake else won


def same_price(one: Price, other: Price, *, holds_stake: bool = True) -> bool:
    """Two prices hand back the same, however they are written."""
    if one.basis in {"flat", "meter"} or other.basis in {"flat", "meter"}:
        return (one.basis, one.num, one.den, one.flat, one.currency) == (other.basis, other.num, other.den, other.flat, other.currency)
    return winnings(one, holds_stake=holds_stake) == winnings(other, holds_stake=holds_stake)


def reaches(price: Price, floor: Price, *, holds_stake: bool = True) -> bool:
    """A price wins no less than a floor does; a flat or meter price reaches none."""
    won, least = winnings(price, holds_stake=holds_stake), winnings(floor, holds_stake=holds_stake)
    return won is not None and least is not None and won >= least


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b`` or ``a, b and c``."""
    *most, last = list(words)
    return f"{', '.join(most)} and {last}" if most else last


def over_time(verdict: Verdict, term: Term | None) -> tuple[Verdict, ...]:
    """A verdict that holds while a chapter is in force, and those that hold before, towards the end of, and after it."""
    if term is None:
        return (verdict,)
    first, until, day = term.in_force_from, term.until, timedelta(days=1)
    subject = f"{verdict.key} rests on {verdict.citation}"
    spans = (
        (verdict.status, None, first, until - day),
        ("paytable_not_licensed", f"{subject}, which is in force only from {first} on", None, first - day),
        ("paytable_expiring", f"{subject}, which ends on {until}", until - timedelta(days=WARNING_DAYS), until - day),
        ("paytable_expired", f"{subject}, which ended on {until}", until, None),
    )
    return tuple(
        replace(verdict, status=status, message=message or verdict.message, valid_from=start, valid_to=end, timezone=term.timezone)
        for status, message, start, end in spans
    )
