"""The licensed catalogue of Pennsylvania, from the data file ``catalogue.toml`` beside this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pipeline.filings.price import Price, read_price

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True, slots=True)
class Term:
    """How long a temporary chapter is in force, in calendar days of its zone; ``until`` is the first day on which it is not."""

    chapter: str
    in_force_from: date
    until: date
    timezone: str


@dataclass(frozen=True, slots=True)
class AnteBonusPaytable:
    """A licensed ante-bonus paytable: line to price, and the floor of a mini royal line that may be added (None: none may)."""

    name: str
    section: str
    linked: bool
    odds: dict[str, Price]
    mini_royal_floor: Price | None
    term: Term | None


@dataclass(frozen=True, slots=True)
class LicensedLine:
    """The licensed prices of a line, or the least it may pay; ``term`` where its section is temporary."""

    prices: tuple[Price, ...]
    floor: Price | None
    section: str
    term: Term | None


@dataclass(frozen=True, slots=True)
class LicensedWager:
    """What the sources say of a wager kind.

    Attributes:
        kind: the wager kind.
        section: where it is licensed.
        judged_on: ``player_three``, ``best_five_of_six`` or ``open``.
        fold: ``forfeited``, ``stands`` or ``open``.
        fold_section: where the sources say so; empty for ``open``.
        in_place_of: the kind that may not be offered beside it.
        lines: line to licensed prices.
        open_lines: lines that are licensed without a price in the sources; None: every line.
        term: how long its section is in force, where it is temporary.
    """

    kind: str
    section: str
    judged_on: str
    fold: str
    fold_section: str
    in_place_of: str | None
    lines: dict[str, LicensedLine]
    open_lines: tuple[str, ...] | None
    term: Term | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The licensed paytables and prices, and what the chapter fixes for ante and play."""

    ante_bonus: tuple[AnteBonusPaytable, ...]
    wagers: dict[str, LicensedWager]
    qualifier: str
    qualifier_section: str
    win: Price
    win_section: str
    linked_section: str
    mini_royal_section: str

    def named(self, name: str) -> AnteBonusPaytable | None:
        """The ante-bonus paytable of that name, however its blanks are written."""
        wanted = " ".join(name.split())
        return next((each for each in self.ante_bonus if each.name == wanted), None)


@cache
def licensed() -> Catalogue:
    """The catalogue of 58 Pa. Code Chapters 649a and 649b."""
    data = tomllib.loads(files("pipeline.filings").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    terms = {
        name: Term(name, chapter["in_force_from"], chapter["in_force_until"], chapter["timezone"])
        for name, chapter in data["chapters"].items()
    }
    main = data["main"]
    return Catalogue(
        ante_bonus=tuple(_paytable(each, terms) for each in data["ante_bonus"]),
        wagers={kind: _wager(kind, each, terms) for kind, each in data["wagers"].items()},
        qualifier=main["qualifier"],
        qualifier_section=main["qualifier_section"],
        win=_price(main["win"]),
        win_section=main["win_section"],
        linked_section=main["linked_section"],
        mini_royal_section=main["mini_royal_section"],
    )


def _paytable(entry: dict[str, Any], terms: dict[str, Term]) -> AnteBonusPaytable:
    floor = entry.get("mini_royal_floor")
    return AnteBonusPaytable(
        name=entry["name"],
        section=entry["section"],
        linked=entry.get("linked", False),
        odds={line: _price(price) for line, price in entry["odds"].items()},
        mini_royal_floor=_price(floor) if floor else None,
        term=terms.get(entry.get("chapter", "")),
    )


def _wager(kind: str, entry: dict[str, Any], terms: dict[str, Term]) -> LicensedWager:
    term = terms.get(entry.get("chapter", ""))
    return LicensedWager(
        kind=kind,
        section=entry["section"],
        judged_on=entry["judged_on"],
        fold=entry["fold"],
        fold_section=entry.get("fold_section", ""),
        in_place_of=entry.get("in_place_of"),
        lines={line: _line(each, entry["section"], term, terms) for line, each in entry.get("lines", {}).items()},
        open_lines=None if entry.get("all_open") else tuple(entry.get("open", ())),
        term=term,
    )


def _line(entry: dict[str, Any], section: str, term: Term | None, terms: dict[str, Term]) -> LicensedLine:
    written = [*entry.get("prices", ()), *entry.get("flats", ()), *({"meter": share} for share in entry.get("meters", ()))]
    return LicensedLine(
        prices=tuple(_price(each) for each in written),
        floor=_price(entry["floor"]) if "floor" in entry else None,
        section=entry.get("section", section),
        term=terms.get(entry.get("chapter", "")) or term,
    )


def _price(value: object) -> Price:
    price = read_price(value)
    if price is None:
        raise ValueError(f"catalogue.toml: not a price: {value}")
    return price
