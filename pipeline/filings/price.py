"""Prices as a filing writes them: ``"40 to 1"``, ``"500 for 1"``, a flat amount or a share of a meter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

AMOUNT_PATTERN: Final = re.compile(r"\d{1,12}(\.\d{1,6})?", re.ASCII)
"""An amount in major units: at most twelve digits and six decimals."""

PRICE_FORMS: Final = '"x to y", "x for y" (whole numbers from 1), { flat = "1000000.00", currency = "USD" } or { meter = "100 %" }'
"""The four ways to write a price, for messages."""

METER_SCALE: Final = 10**6
"""A meter's percentage is held times a million, over a hundred million."""

_ODDS = re.compile(r"\s*(\d{1,9})\s+(to|for)\s+(\d{1,9})\s*", re.ASCII)
_PERCENT = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Price:
    """What a line pays.

    Attributes:
        basis: ``to`` (the stake and num / den of it come back), ``for`` (num / den of the stake in all), ``flat`` or ``meter``.
        num: x of "x to y"; the percentage of a meter times a million; None for a flat amount.
        den: y of "x to y"; a hundred million for a meter; None for a flat amount.
        flat: the flat amount in major units.
        currency: of the flat amount.
    """

    basis: str
    num: int | None = None
    den: int | None = None
    flat: Decimal | None = None
    currency: str | None = None

    @property
    def text(self) -> str:
        """The price as filed, in one spelling: ``40 to 1``, ``flat 1000000.00 USD``, ``meter 100 %``."""
        if self.basis == "flat":
            return f"flat {self.flat} {self.currency}"
        if self.basis == "meter":
            share = Decimal(self.num or 0) / METER_SCALE
            return f"meter {share.normalize():f} %"
        return f"{self.num} {self.basis} {self.den}"


def read_amount(value: object) -> Decimal | None:
    """An exact amount in major units from ``"12.50"`` or a TOML number; None where it is none.

    A TOML float must have been parsed to Decimal, so that its digits are those written.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    if isinstance(value, int) and not 0 <= value < 10**12:
        return None
    text = str(value)
    return Decimal(text) if AMOUNT_PATTERN.fullmatch(text) else None


def read_odds(text: str) -> Price | None:
    """The price of ``"x to y"`` or ``"x for y"`` with whole x and y from 1; None where it is neither."""
    match = _ODDS.fullmatch(text)
    if match is None or int(match[1]) == 0 or int(match[3]) == 0:
        return None
    return Price(basis=match[2], num=int(match[1]), den=int(match[3]))


def read_meter(text: str) -> Price | None:
    """The price of ``"100 %"`` of a meter, above 0 and up to 100; None where it is none."""
    match = _PERCENT.fullmatch(text)
    if match is None or not 0 < Decimal(match[1]) <= 100:
        return None
    return Price(basis="meter", num=int(Decimal(match[1]) * METER_SCALE), den=100 * METER_SCALE)


def read_price(value: object) -> Price | None:
    """The price that a TOML value says; None where it says none.

    Args:
        value: text like ``"40 to 1"``, or a table ``{ flat, currency }`` or ``{ meter }`` and no other key.
    """
    if isinstance(value, str):
        return read_odds(value)
    if not isinstance(value, dict):
        return None
    if set(value) == {"meter"} and isinstance(value["meter"], str):
        return read_meter(value["meter"])
    if set(value) == {"flat", "currency"} and isinstance(value["currency"], str) and _CURRENCY.fullmatch(value["currency"]):
        amount = read_amount(value["flat"])
        if amount:
            return Price(basis="flat", flat=amount, currency=value["currency"])
    return None
