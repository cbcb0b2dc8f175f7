"""A hypothesis: one rule as a studio's software gets it wrong, and what a wager then hands back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.settle.terms import Terms


@dataclass(frozen=True, slots=True)
class Facts:
    """What hypotheses may look at beside the cases.

    Attributes:
        filed: the filings of the run.
        terms: the same, laid out for settling.
        hands: the hands of the cases' rounds and of the rounds before them: ``hand_key, round_key, hand_id, is_dealer, low, middle, high``.
        first_read: of the hands with a corrected card, by ``hand_key``: ``low, middle, high`` as first read, and ``misread`` in words.
        stakes: every wager of the cases' rounds: ``round_key, participant_key, hand_key, player_id, wager_key, kind, stake``.
        before: ``round_key`` to ``before_key``, the round before it on its table, and ``before_id``.
    """

    filed: Filed
    terms: Terms
    hands: pl.DataFrame
    first_read: pl.DataFrame
    stakes: pl.DataFrame
    before: pl.DataFrame


Spread = Callable[[pl.DataFrame, Facts], pl.DataFrame]
"""Cases to a row for each case and alternative input, that input replaced; ``detail`` may be added."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which the rule is broken.

    Attributes:
        touches: the cases that it can change, not those where it is null; where it pays as the right rule does they are left out later.
        levers: see ``payment.settled_again``.
        detail: in words, what is meant: the price, line, stake or reading.
        spread: makes several cases of one, each with another input.
        by_detail: the detail names a rule that holds for many wagers, so that each is weighed on its own; else it is one wager's.
    """

    touches: pl.Expr
    levers: Mapping[str, pl.Expr] = field(default_factory=dict)
    detail: pl.Expr | None = None
    spread: Spread | None = None
    by_detail: bool = False


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A root cause.

    Attributes:
        name: as a finding gives it.
        rank: how specific it is; the smaller, the narrower the rule that is broken.
        words: what the software does, in one sentence.
        ways: in how many ways, the usual one first; it holds where one of them does.
        input: what is put in the right one's place, of a cause that settles rightly on a wrong input: where it shows depends on that.
    """

    name: str
    rank: int
    words: str
    ways: tuple[Way, ...]
    input: str | None = None


NARROW, USUAL, BROAD, VAGUE = 1, 2, 3, 4
"""Ranks: one kind of hand; one rule; one wager kind whatever the cards; any amount at all."""


def said(text: str | None) -> pl.Expr:
    """A detail in words; null where there is none."""
    return pl.lit(text, pl.String)
