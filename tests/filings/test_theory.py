"""What the lake says that a filing keeps on average."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from pipeline.core.theory import Expected
from pipeline.filings.edge import edge
from pipeline.filings.theory import theory, theory_frames
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path


def test_ante_and_play_apart_are_the_game_together(tmp_path: Path) -> None:
    filings = load_texts(tmp_path, submission())
    (fingerprint,) = (filing.fingerprint for filing in filings.submissions)
    told = theory(filings)
    (figures,) = edge(filings)
    ante, play = told[fingerprint, "ante"].edge, told[fingerprint, "play"].edge
    assert ante + figures.strategy.played * play == figures.wagers[0].house_edge
    # Optimal play folds what would lose more than the ante, so that what is played wins: the house loses by it.
    assert play < 0 < ante


def test_a_hold_is_exact_and_rounded_once() -> None:
    third = Expected(Fraction(1, 3))
    assert third.hold(Decimal("10.00"), 1, "USD") == Decimal("3.333333")
    assert third.hold(Decimal("0.000002"), 1, "USD") == Decimal("0.000001")
    assert Expected(Fraction(-1, 3)).hold(Decimal(5), 1, "USD") == Decimal("-1.666667")
    assert Expected(Fraction(1, 2)).hold(Decimal("999999999999999.999999"), 1, None) == Decimal("500000000000000.000000")


def test_a_flat_award_is_taken_off_in_its_currency_alone() -> None:
    flat = Expected(Fraction(1, 10), {"USD": Fraction(1, 4)})
    assert flat.hold(Decimal(100), 8, "USD") == Decimal(8)
    assert flat.hold(Decimal(100), 8, "EUR") == Decimal(10)


def test_each_line_has_the_hands_that_it_pays(tmp_path: Path) -> None:
    _, chances = theory_frames(load_texts(tmp_path, submission()))
    ways = {(kind, line): (ways, of) for _, kind, line, ways, of in chances.iter_rows()}
    assert ways["pair_plus", "straight_flush"] == (48, 22_100)
    assert ways["pair_plus", "pair"] == (3_744, 22_100)
    assert ways["six_card_bonus", "royal_flush"] == (188, 20_358_520)
