"""The amount: the right outcome, and another sum of money made of it."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import MICROS, micros, minor_unit
from pipeline.reconcile.causes.hypothesis import BROAD, NARROW, USUAL, VAGUE, Facts, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import IS_SHOWDOWN, IS_SIDE, main_fraction
from pipeline.settle.prices import ZERO, winnings_fraction
from pipeline.settle.terms import FLAT, FOR, METER, TO

_STANDING: Final = ~pl.col("is_voided")
_STAKE: Final = micros("stake")
_WON: Final = (pl.when(IS_SHOWDOWN).then(pl.col("right_outcome") == "win").otherwise(pl.col("right_main_line").is_not_null())).fill_null(
    value=False
)
_LIVE: Final = _STANDING & ~pl.col("is_forfeit_right")
_HIT: Final = _LIVE & _WON
_CASH: Final = ~pl.col("is_free")
_BASIS: Final = pl.col("right_main_basis")
_HAS_BONUS: Final = _LIVE & pl.col("is_ante") & pl.col("right_bonus_line").is_not_null()
_DUE: Final = pl.col("due")


def _pays(when: pl.Expr, amount: pl.Expr, detail: str | None = None) -> Way:
    """Where this holds, the wager hands back this in all."""
    return Way(when, {"amount": amount}, said(detail), by_detail=detail is not None)


def _flat_by_stake() -> pl.Expr:
    """A flat amount times the stake in units of the currency, the stake beside it where the filing returns it."""
    back = pl.when("stake_returned").then(_STAKE).otherwise(ZERO) - pl.when("is_free").then(_STAKE).otherwise(ZERO)
    return (micros("main_flat") * _STAKE // MICROS + back).clip(lower_bound=0) + pl.col("bonus")


def _share_as_odds(*, with_stake: bool) -> pl.Expr:
    """The percentage of a meter taken for a multiple of the stake."""
    return _STAKE * pl.col("main_num") // MICROS + (_STAKE if with_stake else ZERO)


def _rounded(how: str, unit: pl.Expr) -> pl.Expr:
    """Wager and bonus, each rounded in that way to that unit."""
    return _to_unit(*main_fraction(), how, unit) + pl.when(_HAS_BONUS).then(_to_unit(*winnings_fraction("bonus"), how, unit)).otherwise(
        ZERO
    )


def _to_unit(numerator: pl.Expr, denominator: pl.Expr, how: str, unit: pl.Expr) -> pl.Expr:
    size = denominator * unit
    if how == "down":
        return numerator // size * unit
    if how == "up":
        return (numerator + size - 1) // size * unit
    if how == "half_up":
        return (numerator * 2 + size) // (size * 2) * unit
    below, rest = numerator // size, numerator % size
    up = ((rest * 2 > size) | ((rest * 2 == size) & (below % 2 == 1))).cast(pl.Int128)
    return (below + up) * unit


def _price_in_decimals() -> pl.Expr:
    """``x to y`` kept as a number of two decimals before it is multiplied by the stake."""
    hundredths = (pl.col("main_num") * 200 + pl.col("main_den")) // (pl.col("main_den") * 2)
    back = pl.when((pl.col("main_basis") == TO) & _CASH).then(_STAKE).otherwise(ZERO)
    return _STAKE * hundredths // 100 + back + pl.col("bonus")


def _cut_off(places: int) -> pl.Expr:
    """The amount moved down by places of the decimal system, and cut off at the minor unit."""
    return _DUE // (minor_unit() * pl.lit(10**places, pl.Int128)) * minor_unit()


def _units(cases: pl.DataFrame, _: Facts) -> pl.DataFrame:
    """What is due in every other unit: moved up or down by up to three places, cut off at the minor unit where it does not fit."""
    moved = [(_DUE * 10**places, f"times {10**places}") for places in (1, 2, 3)]
    for places in (1, 2, 3):
        fits = _DUE % 10**places == 0
        moved += [(pl.when(fits).then(_DUE // 10**places), f"divided by {10**places}")]
        moved += [(pl.when(~fits).then(_cut_off(places)), f"divided by {10**places}, cut off")]
    tries = [cases.with_columns(written=written, detail=said(detail)) for written, detail in moved]
    return pl.concat(tries).filter(pl.col("written").is_not_null())


_UNITS: Final = {"the minor unit": minor_unit(), "whole units": pl.lit(MICROS, pl.Int128)}
_HOWS: Final = {"down": "down", "up": "up", "half_up": "half up", "half_even": "half to even"}

AMOUNT: Final = (
    Hypothesis(
        "stake_not_returned", USUAL, "a win at x to 1 is paid as x for 1: the stake is kept",
        (
            _pays(_HIT & (_BASIS == TO), (_DUE - _STAKE).clip(lower_bound=0)),
            _pays(_HIT & _CASH & _BASIS.is_in([FLAT, METER]) & pl.col("stake_returned"), _DUE - _STAKE, "beside a flat amount or a share"),
        ),
    ),
    Hypothesis(
        "for_paid_as_to", USUAL, "a win at x for 1 is paid as x to 1: the stake comes back beside it",
        (_pays(_HIT & _CASH & (_BASIS == FOR), _DUE + _STAKE),),
    ),
    Hypothesis(
        "stake_returned_twice", BROAD, "the stake of a win is handed back once too often",
        (
            _pays(_HIT & _CASH, _DUE + _STAKE),
            _pays(_HAS_BONUS & _CASH, _DUE + _STAKE, "with the ante bonus again"),
            _pays(_HIT & pl.col("is_free"), _DUE + _STAKE, "of a free wager"),
        ),
    ),
    Hypothesis(
        "stake_kept_on_miss", USUAL, "the stake of a lost side wager is handed back",
        (_pays(_STANDING & IS_SIDE & _CASH & (_DUE == 0), _STAKE),),
    ),
    Hypothesis(
        "win_pays_nothing", BROAD, "a win hands back nothing",
        (_pays(_HIT | _HAS_BONUS, ZERO), _pays(_HIT & pl.col("is_ante"), pl.col("bonus"), "but its bonus")),
    ),
    Hypothesis("paid_twice", BROAD, "everything due is handed back twice", (_pays(_DUE > 0, _DUE * 2),)),
    Hypothesis("flat_times_stake", NARROW, "a flat amount is multiplied by the stake", (_pays(_HIT & (_BASIS == FLAT), _flat_by_stake()),)),
    Hypothesis(
        "meter_share_as_odds", NARROW, "the percentage of a meter is paid as odds",
        (
            _pays(_HIT & (_BASIS == METER), _share_as_odds(with_stake=True), "to 1"),
            _pays(_HIT & (_BASIS == METER), _share_as_odds(with_stake=False), "for 1"),
        ),
    ),
    Hypothesis("aggregate_limit_missed", NARROW, "the filed aggregate limit is not applied", (Way(pl.col("is_cut")),)),
    Hypothesis(
        "rounding", USUAL, "the amount is rounded otherwise than is filed",
        (
            *(
                _pays(_LIVE & (_WON | _HAS_BONUS), _rounded(how, unit), f"{words} to {name}")
                for name, unit in _UNITS.items()
                for how, words in _HOWS.items()
            ),
            _pays(_LIVE & (_WON | _HAS_BONUS), _rounded("half_up", pl.lit(1, pl.Int128)), "not rounded"),
            _pays(_HIT & _BASIS.is_in([TO, FOR]), _price_in_decimals(), "the price kept with two decimals"),
        ),
    ),
    # One way: what writes one wager ten times too large and the next a hundred times too small is one fault.
    Hypothesis(
        "wrong_minor_unit", VAGUE, "the amount is written in another unit of the currency",
        (Way(_DUE > 0, {"amount": pl.col("written")}, spread=_units),),
    ),
)  # fmt: skip
