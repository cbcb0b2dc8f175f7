"""A filing as read: one Rules Submission with every default filled in."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Final

from pipeline.core.cards import FIVE_CARD_CATEGORIES, THREE_CARD_CATEGORIES

if TYPE_CHECKING:
    from datetime import date
    from fractions import Fraction

    from pipeline.core.times import GamingDay
    from pipeline.filings.price import Price

THREE_CARD_LINES: Final = ("mini_royal_spades", "mini_royal", *reversed(THREE_CARD_CATEGORIES))
"""Lines of a wager judged on three cards, the best first; the most specific filed one pays."""

SIX_CARD_LINES: Final = ("super_royal_diamonds", "super_royal_other", "six_card_royal", *reversed(FIVE_CARD_CATEGORIES))
"""Lines of a wager judged on the best five of six cards, the best first."""

SUPER_ROYAL_LINES: Final = ("super_royal_diamonds", "super_royal_other")

LINES: Final = {"player_three": THREE_CARD_LINES, "best_five_of_six": SIX_CARD_LINES, "showdown": ("win",)}
"""Lines by what a wager is judged on."""

MAIN_KINDS: Final = ("ante", "play", "ante_bonus")
"""Kinds that are no side wagers."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a paytable and what it pays."""

    name: str
    price: Price


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager kind as filed; the attributes are the columns of ``filed_wagers``, and its lines the best first."""

    kind: str
    judged_on: str
    forfeited_by_fold: bool
    lines: tuple[Line, ...]
    rounding: str = "exact"
    stake_returned: bool = False
    alone: bool = True
    super_royal: str | None = None
    paytable: str | None = None

    def price(self, line: str) -> Price | None:
        """What a line pays; None where it is not filed."""
        return next((each.price for each in self.lines if each.name == line), None)


@dataclass(frozen=True, slots=True)
class Limit:
    """The stakes of a kind in a currency, in major units; None where no bound is filed."""

    kind: str
    currency: str
    lowest: Decimal | None
    highest: Decimal | None


@dataclass(frozen=True, slots=True)
class Meter:
    """A progressive meter; ``contribution`` is the share of each stake that feeds it."""

    meter_id: str
    currency: str | None
    seed: Decimal | None
    contribution: Fraction | None
    share_of: str | None
    fixed_awards_from_meter: bool | None
    several_winners: str


@dataclass(frozen=True, slots=True)
class Cap:
    """An aggregate payout limit on winnings, in major units; ``kinds`` None: all."""

    amount: Decimal
    currency: str
    per: str
    kinds: tuple[str, ...] | None
    cut: str


@dataclass(frozen=True, slots=True)
class Licence:
    """The studio licence; what is absent is not evidenced."""

    ref: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None


@dataclass(frozen=True)
class Filing:
    """A Rules Submission; lists of names are sorted, durations are seconds, days are gaming days."""

    filing_id: str
    revision: int
    operator: str
    studio_id: str
    jurisdiction: str
    effective_from: date
    effective_to: date | None
    tables: tuple[str, ...]
    operators: tuple[str, ...] | None
    currencies: tuple[str, ...]
    decks: int
    deck_alternation: bool
    gaming_day: GamingDay
    qualifier: str
    tie: str
    on_timeout: str
    dealer_cards_read: str
    stakes_may_be_added: bool
    linked_equal: bool
    void_returns_folded: bool
    late_credit_grace_s: int
    open_round_limit_s: int
    supervisors: tuple[str, ...]
    submitted_on: date | None
    approved_on: date | None
    approval_ref: str | None
    simulcast_approval_ref: str | None
    location_approval_ref: str | None
    licence: Licence
    cap: Cap | None
    wagers: tuple[Wager, ...]
    limits: tuple[Limit, ...]
    meters: tuple[Meter, ...]
    source_file: str = field(compare=False)

    @property
    def meaning(self) -> bytes:
        """What the filing means, as JSON in the one form whose SHA-256 is its fingerprint."""
        return _canonical({"form": "resettle-filing/1", **asdict(replace(self, source_file=""))}).encode()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hexadecimal) of what the filing means: no comment, key order, default left out or file name changes it."""
        return hashlib.sha256(self.meaning).hexdigest()

    def wager(self, kind: str) -> Wager | None:
        """The wager kind as filed; None where it is not offered."""
        return next((each for each in self.wagers if each.kind == kind), None)

    @property
    def side_wagers(self) -> tuple[Wager, ...]:
        """Every kind but ante, play and the ante bonus."""
        return tuple(each for each in self.wagers if each.kind not in MAIN_KINDS)


def fingerprint_of(filings: tuple[Filing, ...]) -> str:
    """SHA-256 (hexadecimal) of a set of filings, whatever their order and file names."""
    return hashlib.sha256(_canonical(sorted(each.fingerprint for each in filings)).encode()).hexdigest()


def _canonical(meaning: object) -> str:
    return json.dumps(meaning, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)
