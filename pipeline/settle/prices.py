"""What a price hands back: exact fractions of whole millionths, rounded once."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import micros, minor_unit
from pipeline.settle.terms import FLAT, FOR, METER, TO

ONE: Final = pl.lit(1, pl.Int128)
ZERO: Final = pl.lit(0, pl.Int128)


def winnings_fraction(price: str) -> tuple[pl.Expr, pl.Expr]:
    """Numerator and denominator of what a price pays beside the stake, in Int128 millionths.

    ``x to y`` and ``x for y``: stake times x by y; flat: the amount; meter: the share of the pool, by the number of winners who share it.

    Args:
        price: the prefix of the columns ``{price}_basis, _num, _den, _flat, _pool, _winners``; where no line was hit, they are null
            and so is the numerator.
    """
    basis, num, den = (pl.col(f"{price}_{part}") for part in ("basis", "num", "den"))
    pool, winners = pl.col(f"{price}_pool"), pl.col(f"{price}_winners")
    times_stake = basis.is_in([TO, FOR])
    numerator = pl.when(times_stake).then(micros("stake") * num).when(basis == FLAT).then(micros(f"{price}_flat")).otherwise(pool * num)
    denominator = pl.when(times_stake).then(den).when(basis == METER).then(den * winners).otherwise(ONE)
    return numerator, denominator


def stake_comes_back(price: str) -> pl.Expr:
    """Whether a win at this price hands the stake back beside the winnings: always for *to*, never for *for*, else as filed."""
    basis = pl.col(f"{price}_basis")
    return (basis == TO) | (basis.is_in([FLAT, METER]) & pl.col("stake_returned"))


def rounded(numerator: pl.Expr, denominator: pl.Expr, rounding: str, *, to_minor_unit: bool) -> pl.Expr:
    """A fraction as whole millionths: ``down`` or ``half_up`` to the currency's minor unit, ``exact`` half up to the millionth.

    Args:
        numerator: not negative.
        denominator: positive.
        rounding: the column with the filed rounding; null: exact.
        to_minor_unit: false where no filing rounds to the minor unit, which saves the look.
    """
    if not to_minor_unit:
        return (numerator * 2 + denominator) // (denominator * 2)
    unit = pl.when(pl.col(rounding).is_in(["down", "half_up"])).then(minor_unit()).otherwise(ONE)
    half = pl.when(pl.col(rounding) == "down").then(ZERO).otherwise(denominator * unit)
    return (numerator * 2 + half) // (denominator * unit * 2) * unit
