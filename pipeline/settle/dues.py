"""What the cards make due: outcome, the prices hit, and the amounts, before any aggregate limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.money import micros
from pipeline.settle.meters import with_pools
from pipeline.settle.prices import ONE, ZERO, rounded, stake_comes_back, winnings_fraction
from pipeline.settle.standing import IS_SHOWDOWN, ON_SIX
from pipeline.settle.terms import CLASSES, FLAT, METER, WIN_CLASS

if TYPE_CHECKING:
    from pipeline.settle.terms import Terms

_PRICES: Final = ("main", "bonus")
_PRICE_PARTS: Final = ("line", "basis", "num", "den", "odds", "flat", "price_currency")


def priced(standing: pl.DataFrame, terms: Terms, meters: pl.DataFrame, filed_meters: pl.DataFrame) -> pl.DataFrame:
    """Add the outcome and the prices hit; a wager whose price cannot be paid becomes unsettleable.

    Args:
        standing: see ``standing_of``.
        terms: what is filed.
        meters: as ``schema.METERS``.
        filed_meters: as ``filed.FILED_METERS``.

    Returns:
        The wagers with ``outcome`` (where the cards decide), ``main_rule``, and for the wager itself ``main_*`` and for the ante bonus
        ``bonus_*``: ``_line, _basis, _num, _den, _odds, _flat, _price_currency, _pool, _winners``.
    """
    hit = pl.when(ON_SIX).then("six_class").otherwise("three_class")
    main_class = pl.when(~IS_SHOWDOWN).then(hit).when(pl.col("outcome") == "win").then(pl.lit(WIN_CLASS))
    place = pl.col("offer_no") * CLASSES
    hits = (
        standing.lazy()
        .with_columns(outcome=pl.when(pl.col("is_live") & IS_SHOWDOWN).then(_showdown()))
        .with_columns(
            main_no=pl.when("is_live").then(place + main_class),
            bonus_no=pl.when(pl.col("is_live") & pl.col("is_ante")).then(place + pl.col("three_class")),
        )
        .with_columns(
            *(_gathered(terms.pays[part], f"{price}_no").alias(f"{price}_{part}") for price in _PRICES for part in _PRICE_PARTS),
            main_rule=_gathered(terms.pays["rule"], "main_no"),
        )
        .collect(engine="in-memory")
    )
    for price in _PRICES:
        none = [pl.lit(None, pl.Int128).alias(f"{price}_{part}") for part in ("pool", "winners")]
        hits = with_pools(hits, price, meters, filed_meters) if (terms.pays["basis"] == METER).any() else hits.with_columns(none)
    side = pl.when(pl.col("main_line").is_null()).then(pl.lit("lose")).otherwise(pl.lit("win"))
    unpayable = (
        pl.when(pl.any_horizontal(_is_foreign(price) for price in _PRICES))
        .then(pl.lit("flat_currency"))
        .when(pl.any_horizontal(_lacks_meter(price) for price in _PRICES))
        .then(pl.lit("meter_missing"))
    )
    return (
        hits.lazy()
        .with_columns(outcome=pl.when("is_live").then(pl.when(IS_SHOWDOWN).then("outcome").otherwise(side)), unpayable=unpayable)
        .with_columns(
            settlement=pl.when(pl.col("unpayable").is_null()).then("settlement").otherwise(pl.lit("unsettleable")),
            settlement_reason=pl.coalesce("settlement_reason", "unpayable"),
        )
        .collect(engine="in-memory")
    )


def _gathered(values: pl.Series, places: str) -> pl.Expr:
    """The values at these places; of a column that is null throughout, as flat amounts mostly are, no place is looked up."""
    return pl.lit(values).gather(places) if values.count() else pl.lit(None, values.dtype)


def _showdown() -> pl.Expr:
    """58 Pa. Code § 649a.11: below the qualifier the ante wins and the play is returned; else the better hand wins, and a tie as filed."""
    return (
        pl.when(~pl.col("dealer_qualifies"))
        .then(pl.when("is_ante").then(pl.lit("win")).otherwise(pl.lit("push")))
        .when(pl.col("versus") < 0)
        .then(pl.lit("lose"))
        .when((pl.col("versus") > 0) | pl.col("tie_wins"))
        .then(pl.lit("win"))
        .otherwise(pl.lit("push"))
    )


def _is_foreign(price: str) -> pl.Expr:
    flat = (pl.col(f"{price}_basis") == FLAT).fill_null(value=False)
    return flat & pl.col(f"{price}_price_currency").ne_missing(pl.col("currency"))


def _lacks_meter(price: str) -> pl.Expr:
    return (pl.col(f"{price}_basis") == METER).fill_null(value=False) & pl.col(f"{price}_pool").is_null()


def due(wagers: pl.DataFrame, *, to_minor_unit: bool) -> pl.DataFrame:
    """Add ``expected`` and ``expected_bonus`` in Int128 millionths; null where nothing can be said.

    Args:
        wagers: see ``priced``.
        to_minor_unit: whether any filing rounds to the minor unit of a currency.
    """
    is_voided, is_settled = pl.col("settlement") == "voided", pl.col("settlement") == "settled"
    won, pushed = (pl.col("outcome") == "win").fill_null(value=False), (pl.col("outcome") == "push").fill_null(value=False)
    winnings, shares = winnings_fraction("main")
    winnings, shares = pl.when(won).then(winnings).otherwise(ZERO), pl.when(won).then(shares).otherwise(ONE)
    stakes_back = (won & stake_comes_back("main").fill_null(value=False)) | pushed
    handed_back = winnings + (stakes_back.cast(pl.Int128) - pl.col("is_free").cast(pl.Int128)) * micros("stake") * shares
    main = rounded(handed_back.clip(lower_bound=0), shares, "rounding", to_minor_unit=to_minor_unit)
    bonus = rounded(*winnings_fraction("bonus"), "bonus_rounding", to_minor_unit=to_minor_unit)
    has_bonus = is_settled & ~pl.col("is_forfeit") & pl.col("bonus_line").is_not_null()
    return (
        wagers.lazy()
        .with_columns(
            expected=pl.when(is_voided).then(_refund()).when(is_settled).then(pl.when("is_forfeit").then(ZERO).otherwise(main)),
            expected_bonus=pl.when(pl.col("is_ante") & (is_settled | is_voided)).then(pl.when(has_bonus).then(bonus).otherwise(ZERO)),
        )
        .collect(engine="in-memory")
    )


def _refund() -> pl.Expr:
    """A void returns the stake, unless it was free, came back by cancelling, or was folded and stays forfeited as filed."""
    folded = pl.col("claims_fold") & pl.col("ante_held") & ~pl.col("play_held")
    kept = pl.col("void_keeps_folded") & folded & (pl.col("is_ante") | pl.col("forfeited_by_fold"))
    cancelled = ~pl.col("is_accepted") & pl.col("is_unpaid")
    return pl.when(pl.col("is_free") | cancelled | kept).then(ZERO).otherwise(micros("stake"))
