"""The ante bonus: paid with a play wager, on the ante stake, whoever wins and whether or not the dealer qualifies (§ 649a.12)."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import micros
from pipeline.reconcile.causes.hypothesis import NARROW, USUAL, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import bonus_amount
from pipeline.settle.prices import ZERO

_LIVE: Final = pl.col("is_ante") & ~pl.col("is_voided") & ~pl.col("folded")
_FOLDED: Final = pl.col("is_ante") & ~pl.col("is_voided") & pl.col("folded")


def _only(states: pl.Expr, detail: str) -> Way:
    """No bonus outside these states of the showdown."""
    return Way(_LIVE, {"bonus": pl.when(states).then("bonus").otherwise(ZERO)}, said(detail))


def _on(base: pl.Expr, detail: str) -> Way:
    """A bonus paid on another base than the ante's stake; prices are times a stake, so the bonus grows in proportion."""
    stake = micros("stake")
    return Way(_LIVE & (stake > 0), {"bonus": (pl.col("bonus") * base * 2 + stake) // (stake * 2)}, said(detail))


ANTE_BONUS: Final = (
    Hypothesis("ante_bonus_missing", USUAL, "no ante bonus is paid", (Way(_LIVE, {"bonus": ZERO}),)),
    Hypothesis(
        "ante_bonus_only_on_win", NARROW, "the ante bonus is paid only where the player wins",
        (
            _only(pl.col("outcome") == "win", "where the ante wins"),
            _only(pl.col("outcome").is_in(["win", "push"]), "where the ante does not lose"),
            _only((pl.col("versus") > 0) & pl.col("dealer_qualifies"), "where the hand beats a dealer that qualifies"),
            _only(pl.col("versus") > 0, "where the hand is the better one"),
            _only(pl.col("dealer_qualifies"), "where the dealer qualifies"),
        ),
    ),
    Hypothesis(
        "ante_bonus_wrong_base", USUAL, "the ante bonus is paid on another base than the ante",
        (
            _on(micros("stake") + pl.col("play_stake"), "on ante and play together"),
            _on(pl.col("play_stake"), "on the play"),
            _on(micros("stake") + pl.col("side_stake"), "on ante and side wagers together"),
            _on(micros("stake") + pl.col("play_stake") + pl.col("side_stake"), "on all of the player's wagers together"),
        ),
    ),
    Hypothesis("ante_bonus_after_fold", NARROW, "the ante bonus is paid after a fold", (Way(_FOLDED, {"bonus": bonus_amount()}),)),
)  # fmt: skip
