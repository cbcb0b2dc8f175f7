"""Three cards: categories and order, each hand there is, with a third judge."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from pokerkit import Card, RhodeIslandHoldemLookup

from pipeline.core.cards import DECK, THREE_CARD_CATEGORIES
from pipeline.settle.hands import all_three_card_hands, card_number, rank, strength, three_card_class


@pytest.fixture(scope="module")
def hands() -> pl.DataFrame:
    return all_three_card_hands()


def strength_of(text: str) -> int:
    numbers = sorted(DECK.index(card) for card in text.split())
    frame = pl.DataFrame(
        {"low": [numbers[0]], "middle": [numbers[1]], "high": [numbers[2]]}, schema=dict.fromkeys(("low", "middle", "high"), pl.UInt8)
    )
    return int(frame.with_columns(three_class=three_card_class()).select(strength()).item())


def test_the_ladder_of_hands() -> None:
    ladder = [
        "2c 3d 5h", "2c 4d 5h", "7c 8d Th", "Tc Jd Ah", "Kc Jd Ah", "2c 2d 3h", "2c 2d Ah", "3c 3d 2h", "Ac Ad Kh", "2c 3c 5c", "Ac Kc Jc",
        "Ac 2d 3h", "2c 3d 4h", "Qc Kd Ah", "2c 2d 2h", "Ac Ad Ah", "Ac 2c 3c", "2c 3c 4c", "Qc Kc Ac",
    ]  # fmt: skip
    strengths = [strength_of(hand) for hand in ladder]
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(
    ("left", "right"), [("Ac Kd 9h", "Ad Kh 9s"), ("7c 7d 9h", "7h 7s 9c"), ("Ac 2d 3h", "Ah 2c 3c"[:5] + " 3d"), ("2c 5c 9c", "2d 5d 9d")]
)
def test_suits_never_rank(left: str, right: str) -> None:
    assert strength_of(left) == strength_of(right)


def test_king_ace_deuce_is_no_straight() -> None:
    assert strength_of("Kc 9d 3h") < strength_of("Kd 9c 4h")
    assert strength_of("Kc Ad 2h") < strength_of("2c 2d 3h")


def test_a_text_that_is_no_card_has_no_number() -> None:
    frame = pl.DataFrame({"card": ["2c", "As", "??", "10s", None]})
    assert frame.select(card_number(pl.col("card"))).to_series().to_list() == [0, 51, None, None, None]


def test_all_22100_hands_fall_into_their_categories(hands: pl.DataFrame) -> None:
    counts = dict(hands.group_by("category").len().iter_rows())
    assert counts == dict(zip(THREE_CARD_CATEGORIES, (16_440, 3_744, 1_096, 720, 52, 48), strict=True))
    assert hands.filter(pl.col("three_class") > 5).height == 4
    assert hands.filter(pl.col("three_class") == 7).height == 1


def test_the_category_never_falls_as_strength_rises(hands: pl.DataFrame) -> None:
    assert hands.select("low", "middle", "high", "three_class").schema.dtypes() == [pl.UInt8] * 4
    assert hands.filter(pl.col("strength") // 13**3 != pl.col("three_class").clip(upper_bound=5)).is_empty()
    ordered = hands.sort("strength").select(pl.col("three_class").clip(upper_bound=5))
    assert ordered.to_series().is_sorted()


def test_15380_dealer_hands_qualify_on_queen_high(hands: pl.DataFrame) -> None:
    assert hands.filter((pl.col("three_class") > 0) | (rank("high") >= 10)).height == 15_380


@pytest.mark.exhaustive
def test_a_third_judge_orders_all_22100_hands_alike(hands: pl.DataFrame) -> None:
    lookup = RhodeIslandHoldemLookup()
    cards = [next(Card.parse(text)) for text in DECK]
    entries = [
        lookup.get_entry((cards[low], cards[middle], cards[high])).index
        for low, middle, high in hands.select("low", "middle", "high").iter_rows()
    ]
    both = hands.with_columns(judge=pl.Series(entries))
    assert both.select(pl.struct("judge", "strength").n_unique()).item() == both["judge"].n_unique() == both["strength"].n_unique() == 741
    assert both.unique("strength").sort("strength")["judge"].is_sorted()


@pytest.mark.exhaustive
def test_all_407170400_deals_come_out_as_counted_by_pairs_of_disjoint_hands(hands: pl.DataFrame) -> None:
    dealers = hands.select(dealer_bits="bits", dealer_strength="strength", qualifies=(pl.col("three_class") > 0) | (rank("high") >= 10))
    outcome = pl.when(~pl.col("qualifies")).then(2).otherwise((pl.col("strength") - pl.col("dealer_strength")).sign())
    totals: Counter[int] = Counter()
    for start in range(0, hands.height, 200):
        deals = (
            hands.select("bits", "strength")
            .slice(start, 200)
            .lazy()
            .join(dealers.lazy(), how="cross")
            .filter(pl.col("bits") & pl.col("dealer_bits") == 0)
        )
        totals.update(dict(deals.group_by(outcome=outcome).len().collect(engine="streaming").iter_rows()))
    assert sum(totals.values()) == 407_170_400
    assert totals[2] == (22_100 - 15_380) * 18_424
    assert totals[1] + totals[0] + totals[-1] == 15_380 * 18_424
    assert totals == OUTCOMES


OUTCOMES = {2: 123_809_280, 1: 97_417_516, 0: 279_840, -1: 185_663_764}
"""Player's view of all deals: 2 the dealer does not qualify, 1 wins, 0 ties, -1 loses."""
