"""How an operator's ledger differs from ``wallet-ledger/1``: the table ``[wallet]`` of a profile (TOML)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pipeline.core.errors import InputError
from pipeline.feeds.profile_file import read_profile_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIELDS: Final = (
    "studio_id", "operator_id", "txn_id", "type", "status", "player_id", "round_id", "wager_id", "ref_id", "ref_finding", "amount",
    "currency", "at",
)  # fmt: skip
"""The fields of an entry (wallet-ledger/1)."""

TYPES: Final = ("debit", "credit", "cancel", "adjustment")
STATUSES: Final = ("accepted", "rejected")

_COLUMN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_ -]{0,99}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")
_KEYS: Final = frozenset({"studio_id", "operator_id", "timezone", "debits", "amounts", "columns", "types", "statuses", "minor_digits"})
_OPTIONAL: Final = frozenset({"studio_id", "status", "wager_id", "ref_id", "ref_finding"})


@dataclass(frozen=True, slots=True)
class WalletProfile:
    """What a ledger calls its columns and how it writes its values. Without any, it is ``wallet-ledger/1`` itself.

    Attributes:
        columns: field of ``wallet-ledger/1`` to the ledger's name for it.
        types: the ledger's word to ``debit``, ``credit``, ``cancel`` or ``adjustment``.
        statuses: the ledger's word to ``accepted`` or ``rejected``.
        debits_negative: debits are written below zero, everything else is not.
        minor_units: amounts are whole numbers of the currency's minor unit.
        minor_digits: decimals of a currency, where they are not those of ISO 4217.
        constants: fields that are the same throughout (``studio_id``, ``operator_id``).
        timezone: IANA zone of times without an offset; None: there are none.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[str, str] = field(default_factory=dict)
    debits_negative: bool = False
    minor_units: bool = False
    minor_digits: Mapping[str, int] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    timezone: str | None = None

    def column(self, name: str) -> str:
        """The ledger's name for a field."""
        return self.columns.get(name, name)

    @property
    def required(self) -> tuple[str, ...]:
        """The ledger's names of the columns without which nothing of it can be read."""
        return tuple(self.column(name) for name in FIELDS if name not in _OPTIONAL and name not in self.constants)


def read_wallet_profile(path: Path) -> WalletProfile:
    """The table ``[wallet]`` of a profile; ``wallet-ledger/1`` itself where it has none.

    Raises:
        InputError: the file cannot be read, or says something that a profile cannot say.
    """
    wallet = read_profile_file(path).get("wallet", {})
    if not isinstance(wallet, dict):
        raise InputError("must be a table", f"{path.name}: wallet", "write [wallet]")
    return _Reading(path.name, wallet).profile()


@dataclass(frozen=True, slots=True)
class _Reading:
    file: str
    told: dict[str, Any]

    def profile(self) -> WalletProfile:
        if unknown := sorted(self.told.keys() - _KEYS):
            raise self.wrong(unknown[0], "is no key of a wallet profile", f"known: {', '.join(sorted(_KEYS))}")
        columns = self._words("columns")
        for name, theirs in columns.items():
            if name not in FIELDS:
                raise self.wrong(f"columns.{name}", "is no field of wallet-ledger/1", f"known: {', '.join(FIELDS)}")
            if not _COLUMN.fullmatch(theirs):
                raise self.wrong(f"columns.{name}", f"{theirs!r} cannot be a column's name", "letters, digits, _, - and spaces")
        named = [columns.get(name, name) for name in FIELDS]
        if twice := sorted({name for name in named if named.count(name) > 1}):
            raise self.wrong("columns", f"two fields are read from {twice[0]!r}")
        constants: dict[str, str] = {name: self._text(name) for name in ("studio_id", "operator_id") if name in self.told}
        if both := sorted(constants.keys() & columns.keys()):
            raise self.wrong(both[0], "is given as a constant and as a column", "take one of them out")
        minor_units = self._choice("amounts", ("major_units", "minor_units")) == "minor_units"
        if "minor_digits" in self.told and not minor_units:
            raise self.wrong("minor_digits", "has no meaning where amounts are in major units", 'write amounts = "minor_units"')
        return WalletProfile(
            columns, self._mapped("types", TYPES), self._mapped("statuses", STATUSES),
            self._choice("debits", ("positive", "negative")) == "negative",
            minor_units, self._digits(), constants, self._zone(),
        )  # fmt: skip

    def wrong(self, key: str, what: str, way_out: str = "") -> InputError:
        return InputError(what, f"{self.file}: wallet.{key}", way_out)

    def _text(self, key: str) -> str:
        value = self.told[key]
        if not isinstance(value, str) or not value:
            raise self.wrong(key, "must be text, and not empty")
        return value

    def _choice(self, key: str, words: tuple[str, ...]) -> str:
        value = self.told.get(key, words[0])
        if value not in words:
            raise self.wrong(key, f"is {value!r}", f"allowed: {', '.join(words)}")
        return str(value)

    def _table(self, key: str) -> dict[str, Any]:
        value = self.told.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "must be a table", f"write [wallet.{key}]")
        return value

    def _words(self, key: str) -> dict[str, str]:
        table = self._table(key)
        for name, value in table.items():
            if not isinstance(value, str) or not value:
                raise self.wrong(f"{key}.{name}", "must be text, and not empty")
        return table

    def _mapped(self, key: str, words: tuple[str, ...]) -> dict[str, str]:
        table = self._words(key)
        for name, value in table.items():
            if value not in words:
                raise self.wrong(f"{key}.{name}", f"is {value!r}", f"allowed: {', '.join(words)}")
        return table

    def _digits(self) -> dict[str, int]:
        table = self._table("minor_digits")
        for currency, digits in table.items():
            if not _CURRENCY.fullmatch(currency) or type(digits) is not int or not 0 <= digits <= 6:
                raise self.wrong(f"minor_digits.{currency}", "must be a currency with 0 to 6 decimals", "write USD = 2")
        return table

    def _zone(self) -> str | None:
        if "timezone" not in self.told:
            return None
        name = self._text("timezone")
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise self.wrong("timezone", f"{name!r} is no time zone", "write an IANA name, like America/New_York") from None
        return name
