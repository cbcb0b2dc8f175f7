"""The exact figures against those that the game's students have published, and against each other."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.core.cards import THREE_CARD_CATEGORIES
from pipeline.filings.deals import DEALERS, HANDS, SIX_CARD_COUNTS, SIX_CARD_HANDS, player_hands, qualifying_hands, three_card_counts
from pipeline.filings.edge import edge
from pipeline.filings.edge_words import edge_text
from pipeline.filings.figures import FilingEdge, WagerEdge, percent
from pipeline.settle.hands import all_three_card_hands
from pipeline.settle.six_cards import SIX_CARD_CLASSES, six_card_classes
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path

_NO_SIX = submission().partition("[wagers.six_card_bonus]")[0]
_BONUS = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'


def _figures(folder: Path, *swaps: tuple[str, str], add: str = "") -> FilingEdge:
    text = _NO_SIX + add
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    (figures,) = edge(load_texts(folder, text))
    return figures


def _wager(figures: FilingEdge, kind: str) -> WagerEdge:
    return next(wager for wager in figures.wagers if wager.kind == kind)


def test_the_hands_are_counted_right() -> None:
    counts = three_card_counts()
    by_category = [counts[name] for name in THREE_CARD_CATEGORIES]
    assert by_category == [16_440, 3_744, 1_096, 720, 52, 44]
    assert (counts["mini_royal"], counts["mini_royal_spades"]) == (3, 1)
    assert qualifying_hands("Q") == 15_380


def test_the_player_hands_stand_for_every_deal() -> None:
    hands = player_hands("Q")
    assert sum(hand.ways for hand in hands) == HANDS
    assert {hand.unqualified + hand.better + hand.equal + hand.worse for hand in hands} == {DEALERS}
    # 1,755 hands but for the names of the suits; the mini royal of spades is told apart from the other three.
    assert len(hands) == 1_756


def test_ante_and_play_at_5_4_1(tmp_path: Path) -> None:
    figures = _figures(tmp_path)
    main = _wager(figures, "ante")
    assert percent(figures.dealer_qualifies) == "69.5928"
    assert percent(main.house_edge) == "3.3730"
    assert percent(main.element_of_risk) == "2.0147"
    assert (figures.strategy.threshold, figures.strategy.exceptions) == ("Q64", 0)
    assert percent(figures.strategy.played) == "67.4208"
    assert f"{main.standard_deviation:.2f}" == "1.64"
    assert [(each.line, each.share) for each in main.lines] == [
        ("straight_flush", Fraction(48, HANDS)), ("three_of_a_kind", Fraction(52, HANDS)), ("straight", Fraction(720, HANDS)),
    ]  # fmt: skip


@pytest.mark.parametrize(("flush", "house_edge"), [("4 to 1", "2.3167"), ("3 to 1", "7.2760")])
def test_pair_plus(tmp_path: Path, flush: str, house_edge: str) -> None:
    pair_plus = _wager(_figures(tmp_path, ('flush = "4 to 1"', f'flush = "{flush}"')), "pair_plus")
    assert percent(pair_plus.house_edge) == house_edge
    assert pair_plus.element_of_risk == pair_plus.house_edge
    assert pair_plus.hit_frequency == Fraction(HANDS - 16_440, HANDS)
    assert pair_plus.folds_cost is False


def test_for_costs_the_stake(tmp_path: Path) -> None:
    as_to, as_for = (
        _wager(_figures(tmp_path, ('"1 to 1" }\nforf', f'"{price}" }}\nforf')), "pair_plus") for price in ("1 to 1", "2 for 1")
    )
    assert as_to.house_edge == as_for.house_edge


@pytest.mark.parametrize(("table", "house_edge"), [('"4 to 1"', "3.3730"), ('"3 to 1"', "3.6083")])
def test_the_ante_bonus_counts(tmp_path: Path, table: str, house_edge: str) -> None:
    bonus = _BONUS.replace('"4 to 1"', table)
    assert percent(_wager(_figures(tmp_path, (_BONUS, bonus)), "ante").house_edge) == house_edge


def test_a_tie_that_goes_to_the_player_costs_the_house(tmp_path: Path) -> None:
    ties = sum(hand.ways * hand.equal for hand in player_hands("Q") if hand.strength >= 0)
    usual, kind = _figures(tmp_path), _figures(tmp_path, ("decks = 2", 'decks = 2\ntie = "player_wins"'))
    gain = _wager(usual, "ante").house_edge - _wager(kind, "ante").house_edge
    assert 0 < gain <= Fraction(2 * ties, HANDS * DEALERS)


def test_without_a_qualifier_the_dealer_always_plays(tmp_path: Path) -> None:
    figures = _figures(tmp_path, ("decks = 2", 'decks = 2\nqualifier = "2"'))
    assert figures.dealer_qualifies == 1
    assert all(hand.unqualified == 0 for hand in player_hands("2"))


def test_a_meter_is_told_as_its_break_even_value(tmp_path: Path) -> None:
    add = (
        '[wagers.progressive]\njudged_on = "player_three"\nforfeited_by_fold = true\nstake_returned = true\n'
        'odds = { mini_royal_spades = { meter = "100 %" }, mini_royal = "500 for 1" }'
    )
    progressive = _wager(_figures(tmp_path, add=add), "progressive")
    # Of 22,100 wagers 22,096 lose the stake, three win 499 and one keeps the stake beside the meter.
    assert progressive.house_edge == Fraction(22_096 - 3 * 499, HANDS)
    assert progressive.break_even_meter == 22_096 - 3 * 499
    assert [award.share for award in progressive.awards] == [Fraction(1, HANDS)]


def test_the_figures_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(_NO_SIX, encoding="utf-8")
    text = edge_text(load_texts(tmp_path))
    assert "play Q-6-4 or better" in text
    assert "3.3730 % of the ante (686689/20358520)" in text


def test_percent_rounds_half_up() -> None:
    assert percent(Fraction(1, 3)) == "33.3333"
    assert percent(Fraction(-1, 200_000), 3) == "-0.001"
    assert percent(Fraction(-1, 10_000_000)) == "0.0000"


def test_six_card_bonus_over_every_six_card_hand(tmp_path: Path) -> None:
    (figures,) = edge(load_texts(tmp_path, submission()))
    six = _wager(figures, "six_card_bonus")
    counts = {"royal_flush": 188, "straight_flush": 1_656, "four_of_a_kind": 14_664, "full_house": 165_984, "flush": 205_792,
              "straight": 361_620, "three_of_a_kind": 732_160}  # fmt: skip
    assert {each.line: each.share for each in six.lines} == {line: Fraction(count, 20_358_520) for line, count in counts.items()}
    assert percent(six.house_edge) == "10.2248"


@pytest.mark.exhaustive
def test_every_six_card_hand_is_counted() -> None:
    # Six cards are three and three higher ones; taken by the highest card of the lower half, the halves are small cross products.
    threes = all_three_card_hands().select("low", "high", "bits")
    parts = []
    for boundary in range(2, 49):
        lower, upper = threes.filter(pl.col("high") == boundary), threes.filter(pl.col("low") > boundary)
        sixes = lower.select("bits").join(upper.select(more="bits"), how="cross").select(pl.col("bits") | pl.col("more"))
        parts.append(six_card_classes(sixes["bits"]).alias("six_class").value_counts())
    counts = pl.concat(parts).group_by("six_class").agg(pl.col("count").sum())
    assert {SIX_CARD_CLASSES[number]: count for number, count in counts.iter_rows()} == SIX_CARD_COUNTS
    assert sum(SIX_CARD_COUNTS.values()) == SIX_CARD_HANDS
