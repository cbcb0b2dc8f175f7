"""Reading the keys of a TOML table one by one, with every problem noted instead of the first one raised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from pipeline.filings.price import read_amount

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from decimal import Decimal

MOST_PROBLEMS: Final = 50
"""Problems of one file that are told."""

CURRENCY: Final = re.compile(r"[A-Z]{3}", re.ASCII)

_DURATION = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?", re.ASCII)
_LONGEST_TEXT = 200


class TooManyProblemsError(Exception):
    """A file has so many problems that reading on helps no one; never leaves this package."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one key of a filing, named by the path that leads to it."""

    path: tuple[str, ...]
    what: str


def shown(value: object) -> str:
    """A value as a message may show it, never long: text in quotes, the type's name where the value itself says nothing."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and not -(10**18) < value < 10**18:
        return "a very large number"
    text = str(value)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return f'"{text}"' if isinstance(value, str) else text


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint like ``, did you mean "tables"?``; empty where nothing is near."""
    close = get_close_matches(name[:_LONGEST_TEXT], list(known), n=1, cutoff=0.6)
    return f', did you mean "{close[0]}"?' if close else ""


class Section:
    """A TOML table that is read key by key.

    A reader that finds its key absent or wrong notes a problem and hands back a stand-in, so that one pass shows everything that is wrong.

    Args:
        table: the parsed table.
        path: the keys that lead to it.
        problems: where problems are noted, shared by all sections of a file.
    """

    def __init__(self, table: Mapping[str, object], path: tuple[str, ...], problems: list[Problem]) -> None:
        """See the class."""
        self.table = table
        self.path = path
        self.problems = problems
        self._asked: set[str] = set()

    def note(self, key: str, what: str) -> None:
        """Note a problem with a key of this table.

        Raises:
            TooManyProblemsError: this file has more problems than anyone reads.
        """
        self.problems.append(Problem((*self.path, key) if key else self.path, what))
        if len(self.problems) >= MOST_PROBLEMS:
            raise TooManyProblemsError

    def take(self, key: str, *, required: bool = False) -> object:
        """The raw value of a key; None where it is absent."""
        self._asked.add(key)
        value = self.table.get(key)
        if value is None and required:
            self.note(key, "is missing and must be filed")
        return value

    def text(self, key: str, *, required: bool = False, example: str = "") -> str:
        """Printable text; empty where it is absent or wrong."""
        value = self.take(key, required=required)
        if value is None:
            return ""
        if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_TEXT or not value.isprintable():
            hint = f", like {example}" if example else ""
            self.note(key, f"is {shown(value)} and must be text of 1 to {_LONGEST_TEXT} printable characters{hint}")
            return ""
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str = "") -> str:
        """One of the allowed words; the default where it is absent, and required where there is no default."""
        value = self.take(key, required=not default)
        if value is None:
            return default
        if not isinstance(value, str) or value not in allowed:
            words = ", ".join(f'"{word}"' for word in allowed)
            self.note(key, f"is {shown(value)}; allowed: {words}")
            return default
        return value

    def flag(self, key: str, *, default: bool | None = None) -> bool:
        """True or false; required where there is no default."""
        value = self.take(key, required=default is None)
        if value is None:
            return bool(default)
        if not isinstance(value, bool):
            self.note(key, f"is {shown(value)}; allowed: true, false")
            return bool(default)
        return value

    def whole(self, key: str, *, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number within bounds; required where there is no default."""
        value = self.take(key, required=default is None)
        if value is None:
            return lowest if default is None else default
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.note(key, f"is {shown(value)}; allowed: a whole number from {lowest} to {highest}")
            return lowest
        return value

    def day(self, key: str, *, required: bool = False) -> date | None:
        """A calendar day; None where it is absent or wrong."""
        value = self.take(key, required=required)
        if value is None:
            return None
        if isinstance(value, datetime) or not isinstance(value, date):
            self.note(key, f"is {shown(value)} and must be a day without quotes, like 2026-01-01")
            return None
        return value

    def amount(self, key: str, *, required: bool = False) -> Decimal | None:
        """An amount in major units; None where it is absent or wrong."""
        value = self.take(key, required=required)
        if value is None:
            return None
        amount = read_amount(value)
        if amount is None:
            self.note(key, f'is {shown(value)} and must be an amount like "12.50", at most 12 digits and 6 decimals')
        return amount

    def currency(self, key: str, *, required: bool = False) -> str:
        """An ISO 4217 code; empty where it is absent or wrong."""
        value = self.take(key, required=required)
        if value is None:
            return ""
        if not isinstance(value, str) or not CURRENCY.fullmatch(value):
            self.note(key, f'is {shown(value)} and must be an ISO 4217 code like "USD"')
            return ""
        return value

    def names(self, key: str, *, required: bool = False, may_be_empty: bool = False, currencies: bool = False) -> tuple[str, ...] | None:
        """A list of names, sorted and each once; None where it is absent."""
        value = self.take(key, required=required)
        if value is None:
            return None
        kind = 'ISO 4217 codes like ["USD"]' if currencies else 'names like ["A", "B"]'
        if not isinstance(value, list) or (not value and not may_be_empty):
            self.note(key, f"is {'empty' if value == [] else shown(value)} and must be a list of {kind}")
            return ()
        good = [
            each
            for each in value
            if isinstance(each, str)
            and 0 < len(each) <= _LONGEST_TEXT
            and each.isprintable()
            and (not currencies or CURRENCY.fullmatch(each))
        ]
        if len(good) != len(value):
            self.note(key, f"holds {shown(next(each for each in value if each not in good))} and must be a list of {kind}")
        return tuple(sorted(set(good)))

    def seconds(self, key: str, default: str) -> int:
        """A duration like ``"4h"`` or ``"1h30m"`` in seconds."""
        value = self.take(key)
        text = default if value is None else value
        match = _DURATION.fullmatch(text) if isinstance(text, str) and text else None
        if match is None:
            self.note(key, f'is {shown(value)} and must be a duration like "4h", "90m" or "1h30m"')
            return 0
        days, hours, minutes, rest = (int(part or 0) for part in match.groups())
        return days * 86_400 + hours * 3_600 + minutes * 60 + rest

    def section(self, key: str, *, required: bool = False) -> Section | None:
        """A table within this one; None where it is absent or no table."""
        value = self.take(key, required=required)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.note(key, f"is {shown(value)} and must be a table")
            return None
        return Section(value, (*self.path, key), self.problems)

    def close(self, also_known: Collection[str] = ()) -> None:
        """Note every key that nothing asked for, with the nearest that is known."""
        known = sorted(self._asked | set(also_known))
        for key in self.table:
            if key not in self._asked:
                hint = nearest(key, known) or f"; known: {', '.join(known)}"
                self.note(key[:_LONGEST_TEXT], f"is not a key of a filing{hint}")
