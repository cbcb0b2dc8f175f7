"""Six cards: the best five of all 20,358,520 hands, and the royals of six."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import polars as pl
import pytest

from pipeline.core.cards import FIVE_CARD_CATEGORIES
from pipeline.settle.hands import all_three_card_hands, card_bit
from pipeline.settle.six_cards import CLASS_CATEGORIES, SIX_CARD_CLASSES, six_card_classes

PUBLISHED = {
    "royal_flush": 188, "straight_flush": 1_656, "four_of_a_kind": 14_664, "full_house": 165_984, "flush": 205_792, "straight": 361_620,
    "three_of_a_kind": 732_160, "two_pair": 2_532_816, "pair": 9_730_740, "high_card": 6_612_900,
}  # fmt: skip


def plain_category(cards: tuple[int, ...]) -> int:
    """The category of five cards by the plain rules, as an index into the categories."""
    ranks, counts = sorted({card // 4 for card in cards}), sorted(Counter(card // 4 for card in cards).values(), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(ranks) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    named = {
        "royal_flush": flush and straight and ranks[0] == 8, "straight_flush": flush and straight, "four_of_a_kind": counts[0] == 4,
        "full_house": counts == [3, 2], "flush": flush, "straight": straight, "three_of_a_kind": counts[0] == 3,
        "two_pair": counts[:2] == [2, 2], "pair": counts[0] == 2, "high_card": True,
    }  # fmt: skip
    return FIVE_CARD_CATEGORIES.index(next(name for name, holds in named.items() if holds))


def classes_of(hands: list[tuple[int, ...]]) -> pl.Series:
    cards = pl.DataFrame(hands, schema={f"c{place}": pl.UInt8 for place in range(6)}, orient="row")
    bits = pl.sum_horizontal(card_bit(pl.col(name)) for name in cards.columns)
    return six_card_classes(cards.select(bits).to_series())


def test_the_best_of_the_six_fives_counts() -> None:
    rng = Random(649)  # noqa: S311
    hands = [tuple(sorted(rng.sample(range(52), 6))) for _ in range(3_000)]
    hands += [
        tuple(sorted(rng.sample(range(suit, 52, 4), 5) + rng.sample([c for c in range(52) if c % 4 != suit], 1)))
        for suit in range(4)
        for _ in range(300)
    ]
    best = [FIVE_CARD_CATEGORIES[max(plain_category(five) for five in combinations(hand, 5))] for hand in hands]
    assert CLASS_CATEGORIES.gather(classes_of(hands)).to_list() == best


def test_a_six_card_royal_is_nine_to_ace_of_one_suit() -> None:
    royals = [tuple(rank * 4 + suit for rank in range(7, 13)) for suit in range(4)]
    names = [SIX_CARD_CLASSES[number] for number in classes_of(royals)]
    assert names == ["super_royal_other", "super_royal_diamonds", "super_royal_other", "super_royal_other"]
    eight_to_king = tuple(rank * 4 + 1 for rank in range(6, 12))
    assert SIX_CARD_CLASSES[classes_of([eight_to_king])[0]] == "straight_flush"


def test_unknown_cards_have_no_class() -> None:
    assert six_card_classes(pl.Series([None], dtype=pl.UInt64)).to_list() == [None]


@pytest.mark.exhaustive
def test_all_20358520_hands_fall_into_their_categories() -> None:
    hands = all_three_card_hands().select("low", "high", "bits")
    totals: Counter[int] = Counter()
    for top in range(2, 50):
        lower = hands.filter(pl.col("high") == top).select("bits")
        upper = hands.filter(pl.col("low") > top).select(upper="bits")
        for batch in upper.iter_slices(1_000):
            six = lower.join(batch, how="cross").select(pl.col("bits") | pl.col("upper")).to_series()
            totals.update(dict(six_card_classes(six).value_counts().iter_rows()))
    by_class = {SIX_CARD_CLASSES[number]: count for number, count in totals.items()}
    assert (by_class["super_royal_diamonds"], by_class["super_royal_other"]) == (1, 3)
    by_category: Counter[str] = Counter()
    for number, count in totals.items():
        by_category[CLASS_CATEGORIES[number]] += count
    assert by_category == PUBLISHED
