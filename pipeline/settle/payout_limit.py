"""The aggregate payout limit: how winnings above it are cut, and how the cut is spread over the wagers."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import micros, minor_unit

_GROUPS: Final = {"player_round": ("operator_id", "player_id"), "hand": ("hand_key",), "round": ()}
_DIGITS: Final = 10**6


def limited(wagers: pl.DataFrame, filings: pl.DataFrame) -> pl.DataFrame:
    """Cut winnings down to the filed aggregate limits.

    Winnings are what is due beyond the stake (of a free wager: all that is due), bonus included, and never below nothing. They count
    per player and round, hand, or round, of settled wagers of the filed kinds in the limit's currency, each filing's and play mode's
    apart. ``last_first`` takes them away from the last wager on until the sum fits. ``pro_rata`` leaves each wager its share of the
    limit, down to the minor unit; the minor units left over go one each to the largest remainders, at a tie to the earlier wager, and
    never more to a wager than it won. A cut is taken from ``expected`` first, then from ``expected_bonus``. Where the ante bonus is among
    the filed kinds and the ante is not, the bonus alone counts and is cut.

    Args:
        wagers: settled wagers with ``wager_key, round_key, hand_key, operator_id, player_id, play_mode, kind, currency, is_free, stake,
            filing_no`` and, in Int128 millionths, ``expected, expected_bonus``.
        filings: as ``filed.FILINGS``.

    Returns:
        ``wager_key, cut_expected, cut_bonus`` (Int128 millionths) of the wagers that are cut.
    """
    limits = filings.filter(pl.col("cap_amount").is_not_null()).select(
        "filing_no", "cap_currency", "cap_per", "cap_kinds", "cap_cut", limit=micros("cap_amount")
    )
    kept_stake = pl.when("is_free").then(0).otherwise(micros("stake"))
    in_all = pl.col("cap_kinds").is_null() | pl.col("cap_kinds").list.contains(pl.col("kind"))
    bonus = pl.col("expected_bonus").fill_null(0)
    counted = (
        wagers.join(limits, on="filing_no")
        .filter(pl.col("currency") == pl.col("cap_currency"))
        .with_columns(in_all=in_all)
        .filter(pl.col("in_all") | ((pl.col("kind") == "ante") & pl.col("cap_kinds").list.contains("ante_bonus")))
        .with_columns(
            won=pl.when("in_all").then((pl.col("expected") + bonus - kept_stake).clip(lower_bound=0)).otherwise(bonus),
            expected=pl.when("in_all").then("expected").otherwise(0),
        )
    )
    groups = [
        _over_limit(counted.filter(pl.col("cap_per") == per), ["filing_no", "play_mode", "round_key", *columns])
        for per, columns in _GROUPS.items()
    ]
    over = pl.concat(groups)
    cut = pl.concat(
        [_last_first(over.filter(pl.col("cap_cut") == "last_first")), _pro_rata(over.filter(pl.col("cap_cut") != "last_first"))]
    )
    return cut.filter(pl.col("cut") > 0).select(
        "wager_key",
        cut_expected=pl.min_horizontal("cut", "expected"),
        cut_bonus=pl.col("cut") - pl.min_horizontal("cut", "expected"),
    )


def _over_limit(counted: pl.DataFrame, group: list[str]) -> pl.DataFrame:
    return (
        counted.with_columns(won_in_all=pl.col("won").sum().over(group), group=pl.struct(group).rank("dense"))
        .filter(pl.col("won_in_all") > pl.col("limit"))
        .select("wager_key", "cap_per", "cap_cut", "group", "currency", "expected", "limit", "won", "won_in_all")
        .sort("wager_key")
    )


def _last_first(over: pl.DataFrame) -> pl.DataFrame:
    up_to = pl.col("won").cum_sum().over("cap_per", "group")
    won_later = pl.col("won_in_all") - up_to
    cut = (pl.col("won_in_all") - pl.col("limit") - won_later).clip(lower_bound=0)
    return over.select("wager_key", "expected", cut=pl.min_horizontal(cut, "won"))


def _pro_rata(over: pl.DataFrame) -> pl.DataFrame:
    group = ("cap_per", "group")
    unit = pl.col("unit")
    quotient, remainder = _times_divided("won", "limit", "won_in_all")
    return (
        over.with_columns(quotient.alias("quotient"), remainder.alias("remainder"), unit=minor_unit())
        .with_columns(
            floor=pl.col("quotient") // unit * unit,
            beyond=(pl.col("quotient") % unit) * pl.col("won_in_all") + pl.col("remainder"),
        )
        .sort("beyond", "wager_key", descending=[True, False])
        .with_columns(
            left_over=(pl.col("limit") - pl.col("floor").sum().over(group)) // unit,
            place=pl.int_range(pl.len()).over(group),
        )
        .with_columns(kept=pl.col("floor") + pl.when(pl.col("place") < pl.col("left_over")).then(unit).otherwise(0))
        .select("wager_key", "expected", cut=(pl.col("won") - pl.col("kept")).clip(lower_bound=0))
    )


def _times_divided(left: str, right: str, divisor: str) -> tuple[pl.Expr, pl.Expr]:
    """Quotient and remainder of left times right by divisor where the product would pass 128 bits: six digits of ``right`` at a time.

    Holds for ``right`` < ``divisor`` and ``left`` ≤ ``divisor`` < 10^31.
    """
    quotient = remainder = pl.lit(0)
    for place in range(5, -1, -1):
        digits = pl.col(right) // _DIGITS**place % _DIGITS
        carried = remainder * _DIGITS + pl.col(left) * digits
        quotient, remainder = quotient * _DIGITS + carried // pl.col(divisor), carried % pl.col(divisor)
    return quotient, remainder
