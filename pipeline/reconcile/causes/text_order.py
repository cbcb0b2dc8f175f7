"""Ranks compared as text: ``"9" < "A" < "J" < "K" < "Q" < "T"``, or with a ten written ``"10"`` that sorts below ``"2"``."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.reconcile.causes.cards import DEALER, category_of, compared, force, force_of, ranks
from pipeline.reconcile.causes.hypothesis import Way, said
from pipeline.reconcile.causes.payment import IS_SHOWDOWN
from pipeline.settle.hands import FLUSH, HIGH_CARD, PAIR, THREE_OF_A_KIND

_SPELLINGS: Final = {"with a ten as T": RANKS, "with a ten as 10": RANKS.replace("T", "1")}
_COMPARED: Final = [HIGH_CARD, FLUSH, PAIR, THREE_OF_A_KIND]


def _placed(rank: pl.Expr, spelling: str) -> pl.Expr:
    """The place of a rank where ranks are sorted as text."""
    order = sorted(spelling)
    return pl.lit(pl.Series([order.index(letter) for letter in spelling], dtype=pl.Int32)).gather(rank)


def _forces(side: str, spelling: str) -> pl.Expr:
    bottom, middle, top = (_placed(rank, spelling) for rank in ranks(side))
    highest, lowest = pl.max_horizontal(bottom, middle, top), pl.min_horizontal(bottom, middle, top)
    category = category_of(side)
    by_pair = force(category, middle, bottom + top - middle)
    by_order = force(category, highest, bottom + middle + top - highest - lowest, lowest)
    return pl.when(category == PAIR).then(by_pair).when(category.is_in(_COMPARED)).then(by_order).otherwise(force_of(side))


def _ways(detail: str, spelling: str) -> tuple[Way, ...]:
    versus = compared(lambda side: _forces(side, spelling))
    top = pl.max_horizontal(*(_placed(rank, spelling) for rank in ranks(DEALER)))
    qualifies = (pl.col("dealer_class") >= PAIR) | (top >= _placed(pl.col("threshold"), spelling))
    known = IS_SHOWDOWN & pl.col("versus").is_not_null()
    return (
        Way(known, {"versus": versus}, said(detail)),
        Way(known, {"versus": versus, "dealer_qualifies": qualifies}, said(f"{detail}, in the dealer's qualification too")),
        Way(known, {"dealer_qualifies": qualifies}, said(f"{detail}, in the dealer's qualification alone")),
    )


TEXT_WAYS: Final = tuple(way for detail, spelling in _SPELLINGS.items() for way in _ways(detail, spelling))
"""Each spelling, with the dealer's qualification read rightly, wrongly too, or wrongly alone."""
