"""Fold and void: what a fold forfeits, and which wagers a void takes in."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import micros
from pipeline.reconcile.causes.hypothesis import NARROW, USUAL, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import IS_SIDE
from pipeline.settle.prices import ZERO

_NO: Final = pl.lit(value=False)
_STANDING: Final = ~pl.col("is_voided")
_FORFEIT: Final = _STANDING & pl.col("folded") & (pl.col("is_ante") | pl.col("forfeited_by_fold"))
_ON_THREE: Final = IS_SIDE & (pl.col("judged_on") == "player_three").fill_null(value=False)
_WON: Final = (pl.col("versus") > 0) & pl.col("dealer_qualifies")
_STAKE: Final = pl.when("is_free").then(ZERO).otherwise(micros("stake"))


def _needs(won: pl.Expr, detail: str, otherwise: pl.Expr = ZERO) -> Way:
    """A wager on the player's three cards that pays only where the main wagers come to this."""
    known = _STANDING & _ON_THREE & ~_FORFEIT & pl.col("versus").is_not_null()
    return Way(known, {"main": pl.when(won).then("main").otherwise(otherwise)}, said(detail))


FOLD_AND_VOID: Final = (
    Hypothesis(
        "fold_ignored", USUAL, "a fold is not seen, and what it forfeits is settled by the cards",
        (
            Way(_FORFEIT, {"is_forfeit": _NO, "bonus": ZERO}),
            Way(_FORFEIT & pl.col("is_ante"), {"is_forfeit": _NO}, said("the ante compared, and its bonus paid")),
            Way(_FORFEIT, {"amount": _STAKE}, said("the stake handed back")),
        ),
    ),
    Hypothesis(
        "forfeited_in_error", NARROW, "a side wager that stands is taken as if a fold forfeited it",
        (
            Way(_STANDING & IS_SIDE & pl.col("folded") & ~pl.col("forfeited_by_fold"), {"amount": ZERO}, said("after a fold")),
            Way(_STANDING & IS_SIDE & ~pl.col("ante_made"), {"amount": ZERO}, said("placed without an ante, which is no fold")),
        ),
    ),
    Hypothesis(
        "pair_plus_tied_to_main", NARROW, "a wager on the player's three cards is paid only where the player also wins the main wagers",
        (
            _needs(_WON, "where the hand beats a dealer that qualifies"),
            _needs(_WON | ~pl.col("dealer_qualifies"), "where the ante wins"),
            _needs(pl.col("versus") >= 0, "where the hand does not lose"),
            _needs(pl.col("dealer_qualifies"), "where the dealer qualifies", _STAKE),
        ),
    ),
    Hypothesis(
        "void_ignored", USUAL, "a void is not seen, and the wager is settled by the cards",
        (
            Way(pl.col("is_voided"), {"is_voided": _NO}),
            Way(pl.col("is_voided") & pl.col("is_ante"), {"is_voided": _NO, "bonus": ZERO}, said("without the ante bonus")),
        ),
    ),
    Hypothesis(
        "void_scope_wrong", NARROW, "a part void takes in other wagers than it names",
        (
            Way(_STANDING & pl.col("round_has_void"), {"amount": _STAKE}, said("a wager outside the void given back")),
            Way(pl.col("is_voided") & pl.col("void_is_part"), {"is_voided": _NO}, said("a wager within the void settled by the cards")),
        ),
    ),
)  # fmt: skip
