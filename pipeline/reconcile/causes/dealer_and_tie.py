"""Dealer and tie: whether the dealer qualifies, and what an unqualified dealer or a tie makes of ante and play."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.reconcile.causes.cards import DEALER, category_of, ranks
from pipeline.reconcile.causes.hypothesis import BROAD, NARROW, USUAL, Hypothesis, Way, said
from pipeline.reconcile.causes.payment import IS_SHOWDOWN
from pipeline.settle.hands import PAIR

_SHOWN: Final = (IS_SHOWDOWN & pl.col("versus").is_not_null()).fill_null(value=False)
_UNQUALIFIED: Final = _SHOWN & ~pl.col("dealer_qualifies")
_QUALIFIED: Final = _SHOWN & pl.col("dealer_qualifies")
_EQUAL: Final = pl.col("versus") == 0
_NAMES: Final = dict(
    zip(RANKS, ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), strict=True)
)


def _comes_to(when: pl.Expr, detail: str | None = None, *, ante: str | None = None, play: str | None = None) -> Way:
    """Where this holds, ante and play come to another outcome; None leaves it as it is."""
    outcome = pl.when("is_ante").then(pl.lit(ante) if ante else pl.col("outcome")).otherwise(pl.lit(play) if play else pl.col("outcome"))
    touched = when & ((pl.col("is_ante") & (ante is not None)) | (pl.col("is_play") & (play is not None)))
    return Way(touched, {"outcome": outcome}, said(detail))


def _qualifies(when: pl.Expr, qualifies: pl.Expr, detail: str | None = None) -> Way:
    return Way(_SHOWN & when, {"dealer_qualifies": qualifies}, said(detail), by_detail=detail is not None)


def _threshold(rank: str) -> Way:
    wanted = RANKS.index(rank)
    qualifies = (pl.col("dealer_class") >= PAIR) | (ranks(DEALER)[2] >= wanted)
    return _qualifies(pl.col("threshold") != wanted, qualifies, f"{_NAMES[rank]} high or better")


_TOP: Final = ranks(DEALER)[2] >= pl.col("threshold")
_IS_PAIR: Final = category_of(DEALER) == PAIR

DEALER_AND_TIE: Final = (
    Hypothesis(
        "qualifier_ignored", USUAL, "every dealer's hand is compared as if it qualified",
        (Way(_UNQUALIFIED, {"dealer_qualifies": pl.lit(value=True)}),),
    ),
    Hypothesis(
        "qualifier_top_card_only", NARROW, "the dealer's qualification looks at a card and not at the hand, so that a pair may not qualify",
        (
            _qualifies(pl.col("dealer_class") >= PAIR, _TOP, "the highest card alone is looked at"),
            _qualifies(_IS_PAIR, ~_IS_PAIR | (ranks(DEALER)[1] >= pl.col("threshold")), "the pair's rank is looked at"),
            _qualifies(_IS_PAIR, pl.lit(value=False), "no pair qualifies"),
        ),
    ),
    Hypothesis(
        "qualifier_threshold", BROAD, "the dealer qualifies with another lowest hand than is filed",
        (*(_threshold(rank) for rank in "9TJQKA"), _qualifies(pl.lit(value=True), pl.col("dealer_class") >= PAIR, "a pair or better")),
    ),
    Hypothesis(
        "play_paid_unqualified", USUAL, "play is paid against a dealer that does not qualify",
        (_comes_to(_UNQUALIFIED, play="win"),),
    ),
    Hypothesis(
        "ante_pushed_unqualified", USUAL, "the ante is pushed against a dealer that does not qualify",
        (_comes_to(_UNQUALIFIED, ante="push"),),
    ),
    Hypothesis(
        "ante_lost_unqualified", USUAL, "the ante is taken against a dealer that does not qualify",
        (_comes_to(_UNQUALIFIED, ante="lose"),),
    ),
    Hypothesis(
        "play_lost_unqualified", USUAL, "play is taken against a dealer that does not qualify",
        (_comes_to(_UNQUALIFIED, play="lose"),),
    ),
    Hypothesis(
        "ante_play_swapped", USUAL, "against a dealer that does not qualify, the ante is treated as play and play as the ante",
        (_comes_to(_UNQUALIFIED, ante="push", play="win"),),
    ),
    Hypothesis(
        "lost_to_unqualified_dealer", NARROW, "a hand worse than that of a dealer that does not qualify loses",
        (
            _comes_to(_UNQUALIFIED & (pl.col("versus") < 0), "ante and play", ante="lose", play="lose"),
            _comes_to(_UNQUALIFIED & (pl.col("versus") < 0), "the ante alone", ante="lose"),
            _comes_to(_UNQUALIFIED & (pl.col("versus") < 0), "play alone", play="lose"),
        ),
    ),
    Hypothesis("tie_lost", NARROW, "a tie is taken", (_comes_to(_QUALIFIED & _EQUAL, ante="lose", play="lose"),)),
    Hypothesis("tie_won", NARROW, "a tie is paid as a win", (_comes_to(_QUALIFIED & _EQUAL, ante="win", play="win"),)),
    Hypothesis(
        "tie_one_stake", NARROW, "of a tie only one of the two stakes is handed back",
        (
            _comes_to(_QUALIFIED & _EQUAL, "only the ante", ante="push", play="lose"),
            _comes_to(_QUALIFIED & _EQUAL, "only the play", ante="lose", play="push"),
        ),
    ),
    Hypothesis(
        "tie_before_qualifier", NARROW, "a tie is settled as one though the dealer does not qualify",
        (Way(_UNQUALIFIED & _EQUAL, {"dealer_qualifies": pl.lit(value=True)}),),
    ),
)  # fmt: skip
