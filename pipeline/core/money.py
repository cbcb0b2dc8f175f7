"""Money: how many decimals a currency has, and amounts as whole millionths.

An amount rests as DECIMAL(18,6) or DECIMAL(38,6). Arithmetic is done on whole millionths in 128 bits, because a 64-bit product wraps in
silence and a product or quotient of two decimals is rounded half to even. A DECIMAL(18,6) stake times the largest 64-bit price fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import DUE

if TYPE_CHECKING:
    from decimal import Decimal

MICROS: Final = 1_000_000
"""Millionths in one unit of a currency."""

USUAL_MINOR_DIGITS: Final = 2

_NONE = ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF")
_THREE = ("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND")
_FOUR = ("CLF", "UYW")
MINOR_DIGITS: Final = dict.fromkeys(_NONE, 0) | dict.fromkeys(_THREE, 3) | dict.fromkeys(_FOUR, 4)
"""Decimals of the currencies that have not two, from ISO 4217."""


def micros(amount: str | pl.Expr) -> pl.Expr:
    """A decimal column with six decimals as Int128 millionths; null stays null."""
    return (pl.col(amount) if isinstance(amount, str) else amount).reinterpret(dtype=pl.Int128)


def from_micros(amount: pl.Expr) -> pl.Expr:
    """Int128 millionths as DECIMAL(38,6)."""
    return amount.reinterpret(dtype=DUE)


def minor_unit(currency: str = "currency") -> pl.Expr:
    """Millionths in the smallest unit of each row's currency: 10,000 for USD, 1,000,000 for JPY, 1,000 for KWD."""
    units = {code: 10 ** (6 - digits) for code, digits in MINOR_DIGITS.items()}
    return pl.col(currency).replace_strict(units, default=10 ** (6 - USUAL_MINOR_DIGITS), return_dtype=pl.Int64).cast(pl.Int128)


def amount(value: Decimal | None, currency: str | None, *, signed: bool = False) -> str:
    """An amount with at least two decimals and never a digit lost, like ``1,234.50 USD``; with a sign where asked; ``-`` for none."""
    if value is None:
        return "-"
    whole, _, decimals = f"{value:{'+' if signed else ''},f}".partition(".")
    return " ".join(part for part in (f"{whole}.{decimals.rstrip('0').ljust(2, '0')}", currency) if part)
