"""Which wagers are settled at all: void, status, filing, decision, and whether the cards can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.settle.seats import decisions_of, seats_of
from pipeline.settle.void_scope import voided_wagers

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk
    from pipeline.settle.terms import Terms

IS_SHOWDOWN: Final = pl.col("is_ante") | pl.col("is_play")
ON_SIX: Final = pl.col("judged_on") == "best_five_of_six"
_TOLD: Final = ("ante_made", "play_made", "play_stands", "ante_held", "play_held")
_OFFERED: Final = ("is_offered", "judged_on", "forfeited_by_fold", "stake_returned", "rounding", "bonus_rounding", "own_rule", "fold_rule")


def standing_of(chunk: Chunk, filed: Filed, terms: Terms) -> pl.DataFrame:
    """The current wagers, in the order of ``wager_key``, beside all that they are settled on.

    Returns:
        ``wager_key, round_key, participant_key, kind, currency, stake``; the Booleans ``is_ante, is_play, is_accepted, is_rejected,
        is_free, is_real, is_unpaid, in_void``; the columns of ``seats_of`` and ``decisions_of``; ``offer_no`` and what is offered; and
        ``settlement`` (settled also where a price turns out later to be unpayable), ``settlement_reason``, ``is_forfeit`` (a fold
        forfeits it, so nothing is due whatever the cards), ``is_live`` (settled, and the cards decide).
    """
    wagers = _current(chunk)
    seats = seats_of(chunk, filed).join(decisions_of(wagers), on="participant_key", how="left")
    seats = seats.with_columns(pl.col(_TOLD).fill_null(value=False))
    folded = pl.col("ante_made") & ~pl.col("play_made")
    return (
        wagers.lazy()
        .join(seats.lazy(), on="participant_key", how="left", maintain_order="left")
        .with_columns(offer_no=terms.offer_no())
        .with_columns(pl.lit(terms.offers[column]).gather("offer_no").alias(column) for column in _OFFERED)
        .with_columns(pl.col("forfeited_by_fold", "is_offered").fill_null(value=False))
        .with_columns(is_forfeit=folded & (pl.col("is_ante") | pl.col("forfeited_by_fold")))
        .with_columns(settlement_reason=_reason())
        .with_columns(settlement=_settlement())
        .with_columns(is_live=(pl.col("settlement") == "settled") & ~pl.col("is_forfeit"))
        .collect(engine="in-memory")
    )


def _current(chunk: Chunk) -> pl.DataFrame:
    current = chunk.wagers.filter("is_current")
    current = current if current["wager_key"].is_sorted() else current.sort("wager_key")
    has_void = chunk.rounds.select(((pl.col("status") == "voided") | pl.col("has_void")).any()).item()
    in_void = pl.col("wager_key").is_in(voided_wagers(current, chunk.rounds).implode()) if has_void else pl.lit(value=False)
    return (
        current.lazy()
        .select(
            "wager_key", "round_key", "participant_key", "kind", "currency", "stake",
            is_ante=pl.col("kind") == "ante",
            is_play=pl.col("kind") == "play",
            is_accepted=pl.col("status") == "accepted",
            is_rejected=pl.col("status") == "rejected",
            is_free=pl.col("funding") == "free",
            is_real=pl.col("play_mode") == "real",
            is_unpaid=(pl.col("paid").fill_null(0) == 0) & (pl.col("bonus_paid").fill_null(0) == 0),
            in_void=in_void,
        )
        .collect(engine="in-memory")
    )  # fmt: skip


def _reason() -> pl.Expr:
    after_fold = pl.col("claims_fold") & pl.col("play_stands") & (IS_SHOWDOWN | pl.col("forfeited_by_fold"))
    return (
        pl.when("conflicting")
        .then(pl.lit("conflicting_round"))
        .when("is_rejected")
        .then(pl.lit("rejected"))
        .when("in_void")
        .then(None)
        .when(~pl.col("is_accepted"))
        .then(pl.lit("cancelled"))
        .when(pl.col("round_status") != "settled")
        .then("round_status")
        .when(pl.col("filing_no").is_null())
        .then(pl.lit("no_filing_in_force"))
        .when(~pl.col("is_offered"))
        .then(pl.lit("wager_not_offered"))
        .when(pl.col("is_play") & ~pl.col("ante_made"))
        .then(pl.lit("play_without_ante"))
        .when(after_fold)
        .then(pl.lit("play_after_fold"))
        .when("is_forfeit")
        .then(None)
        .when(pl.col("distrust").is_not_null())
        .then("distrust")
        .when((IS_SHOWDOWN | ON_SIX) & pl.col("dealer_distrust").is_not_null())
        .then(pl.concat_str(pl.lit("dealer: "), "dealer_distrust"))
    )


def _settlement() -> pl.Expr:
    return (
        pl.when("conflicting")
        .then(pl.lit("unsettleable"))
        .when(pl.col("is_rejected") | ~(pl.col("is_accepted") | pl.col("in_void")))
        .then(pl.lit("not_accepted"))
        .when("in_void")
        .then(pl.lit("voided"))
        .when(pl.col("round_status") != "settled")
        .then(pl.lit("pending"))
        .when(pl.col("settlement_reason").is_not_null())
        .then(pl.lit("unsettleable"))
        .otherwise(pl.lit("settled"))
    )
