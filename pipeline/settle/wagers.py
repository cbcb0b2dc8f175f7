"""The Polars engine: what is due on every wager under the filing in force, over whole columns.

Stages: which wagers are settled at all (``standing``), what the cards make due (``dues``), and what the filed aggregate limit leaves of
it (``payout_limit``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.money import from_micros
from pipeline.core.schema import ENGINE
from pipeline.settle import hands, six_cards
from pipeline.settle.dues import due, priced
from pipeline.settle.payout_limit import limited
from pipeline.settle.standing import IS_SHOWDOWN, ON_SIX, standing_of
from pipeline.settle.terms import terms_of

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk


def settle(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Settle every current wager of a chunk under its filing in force.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: all filings.

    Returns:
        ``schema.ENGINE``: a row for each current wager, in the order of ``wager_key``.
    """
    terms = terms_of(filed)
    to_minor_unit = any((terms.offers[rounding] != "exact").any() for rounding in ("rounding", "bonus_rounding"))
    wagers = due(priced(standing_of(chunk, filed, terms), terms, chunk.meters, filed.meters), to_minor_unit=to_minor_unit)
    return _stated(_cut(wagers, chunk.wagers, filed.filings))


def _cut(wagers: pl.DataFrame, logged: pl.DataFrame, filings: pl.DataFrame) -> pl.DataFrame:
    """Take off what is above the aggregate limits, and add ``is_cut``."""
    if filings["cap_amount"].count() == 0:
        return wagers.with_columns(is_cut=pl.lit(value=False))
    settled = wagers.filter(pl.col("settlement") == "settled").join(
        logged.select("wager_key", "hand_key", "operator_id", "player_id", "play_mode"), on="wager_key"
    )
    return (
        wagers.join(limited(settled, filings), on="wager_key", how="left", maintain_order="left")
        .with_columns(is_cut=pl.col("cut_expected").is_not_null())
        .with_columns(
            expected=pl.col("expected") - pl.col("cut_expected").fill_null(0),
            expected_bonus=pl.col("expected_bonus") - pl.col("cut_bonus").fill_null(0),
        )
    )


def _stated(wagers: pl.DataFrame) -> pl.DataFrame:
    """The engine's columns: names for classes, decimals for millionths, and the filing's key that decided."""
    is_settled, is_voided = pl.col("settlement") == "settled", pl.col("settlement") == "voided"
    three, five = pl.lit(hands.CLASS_CATEGORIES).gather("three_class"), pl.lit(six_cards.CLASS_CATEGORIES).gather("six_class")
    on_ante, on_side = is_settled & pl.col("is_ante"), is_settled & ~IS_SHOWDOWN
    line = {name: pl.when(on_ante).then(f"bonus_{name}").when(on_side).then(f"main_{name}") for name in ("line", "odds")}
    decided = (
        pl.when("is_cut")
        .then(pl.lit("aggregate_payout_limit"))
        .when("is_forfeit")
        .then("fold_rule")
        .when(~IS_SHOWDOWN)
        .then(pl.coalesce("main_rule", "own_rule"))
        .when(~pl.col("dealer_qualifies"))
        .then(pl.lit("qualifier"))
        .when(pl.col("versus") == 0)
        .then(pl.lit("tie"))
        .otherwise("own_rule")
    )
    outcome = pl.when("is_forfeit").then(pl.lit("forfeit")).otherwise("outcome")
    return (
        wagers.lazy()
        .select(
            "wager_key",
            "settlement",
            "settlement_reason",
            "filing_no",
            "dealer_qualifies",
            **line,
            hand_category=pl.when(ON_SIX).then(five).when(IS_SHOWDOWN | (pl.col("judged_on") == "player_three")).then(three),
            dealer_category=pl.lit(hands.CLASS_CATEGORIES).gather("dealer_class"),
            outcome=pl.when(is_voided).then(pl.lit("void")).when(is_settled).then(outcome),
            expected=from_micros(pl.col("expected")),
            expected_bonus=from_micros(pl.col("expected_bonus")),
            rule=pl.when(is_voided).then(pl.lit("void")).when(is_settled).then(decided),
        )
        .select(pl.col(column.name).cast(column.dtype) for column in ENGINE.columns)
        .collect(engine="in-memory")
    )
