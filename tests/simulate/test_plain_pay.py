"""The simulator's own rules, held against amounts worked out by hand."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from pipeline.core.cards import DECK
from pipeline.simulate.deal import Deal, Part, Void, Wager
from pipeline.simulate.offers import OFFERS
from pipeline.simulate.pay import due, quote, quote_for
from pipeline.simulate.ranking import best_five, three

KEYSTONE, LINKED, HARBOUR, _, DRAW = OFFERS


def deal(player: str, dealer: str, *wagers: Wager, offer: object = KEYSTONE) -> tuple[Deal, Part]:
    made = Deal("T", "T-1", 1, "D1", "red", 0, None)
    made.player_cards, made.dealer_cards = {"H1": player.split()}, dealer.split()
    part = Part("p1", "op", offer, None, "H1", "USD", test=False, wagers=list(wagers))  # type: ignore[arg-type]
    made.parts.append(part)
    return made, part


def bet(kind: str, stake: int = 10_00, **fields: object) -> Wager:
    return Wager(kind, kind, stake, 0, **fields)  # type: ignore[arg-type]


def paid(player: str, dealer: str, *wagers: Wager, offer: object = KEYSTONE) -> list[tuple[int, int]]:
    made, part = deal(player, dealer, *wagers, offer=offer)
    return [due(made, part, wager, quote_for(made, part)) for wager in wagers]


def test_all_22100_hands_fall_into_the_published_counts() -> None:
    counts = Counter(three(hand).category for hand in itertools.combinations(DECK, 3))
    assert [counts[category] for category in range(6)] == [16_440, 3_744, 1_096, 720, 52, 48]


def test_15380_of_22100_dealer_hands_qualify() -> None:
    hands = itertools.combinations(DECK, 3)
    # a player who can neither tie nor matter: only whether the dealer qualifies is counted
    assert sum(quote(("2c", "3d", "5h"), hand, KEYSTONE).state != "unqualified" for hand in hands) == 15_380


@pytest.mark.parametrize(
    ("player", "dealer", "ante", "play"),
    [
        ("Ks 9d 4c", "Jd 8s 3c", 20_00, 10_00),
        ("Ts 8d 4c", "Jd 9s 3c", 20_00, 10_00),
        ("Ks 9d 4c", "Qd 3s 2c", 20_00, 20_00),
        ("Ks 9d 4c", "Kd 9s 4h", 10_00, 10_00),
        ("Ks 9d 4c", "2d 2s 3h", 0, 0),
        ("As 3d 2c", "4d 3s 2h", 0, 0),
        ("As Kd Qc", "Kd Qs Jh", 20_00, 20_00),
    ],
)
def test_649a_11_ante_and_play(player: str, dealer: str, ante: int, play: int) -> None:
    returned = paid(player, dealer, bet("ante"), bet("play"))
    assert [back for back, _ in returned] == [ante, play]


def test_a_tie_is_won_where_that_is_filed() -> None:
    assert paid("Ks 9d 4c", "Kd 9s 4h", bet("ante"), bet("play"), offer=HARBOUR) == [(20_00, 0), (20_00, 0)]


def test_the_ante_bonus_stands_beside_a_lost_ante() -> None:
    assert paid("6s 5d 4c", "9s 8d 7c", bet("ante"), bet("play")) == [(0, 10_00), (0, 0)]


def test_a_linked_mini_royal_in_spades_pays_fifty_to_one() -> None:
    assert paid("As Ks Qs", "9s 8d 7c", bet("ante"), bet("play"), offer=LINKED)[0] == (20_00, 500_00)


def test_649a_11_b_1_fold_forfeits_pair_plus() -> None:
    assert paid("5s 5d 2c", "", bet("ante"), bet("pair_plus")) == [(0, 0), (0, 0)]


def test_pair_plus_alone_is_no_fold() -> None:
    assert paid("5s 5d 2c", "", bet("pair_plus", 5_00)) == [(10_00, 0)]


def test_649a_11_b_3_six_card_bonus_stands_after_a_fold() -> None:
    assert paid("4s 4d 2c", "4h Kd 9c", bet("ante"), bet("six_card_bonus", 2_00)) == [(0, 0), (12_00, 0)]


def test_x_for_one_holds_the_stake() -> None:
    assert paid("9s 8d 7c", "Ks Qd 2c", bet("trio_bonus", 2_00), offer=DRAW) == [(16_00, 0)]


def test_a_free_win_comes_without_its_stake() -> None:
    assert paid("5s 5d 2c", "", bet("pair_plus", 5_00, free=True)) == [(5_00, 0)]
    assert paid("7s 5d 2c", "", bet("pair_plus", 5_00, free=True)) == [(0, 0)]


def test_a_void_gives_back_the_stake_and_no_bonus() -> None:
    ante, play, free = bet("ante"), bet("play"), bet("pair_plus", free=True)
    made, part = deal("6s 5d 4c", "9s 8d 7c", ante, play, free)
    made.status, made.void = "voided", Void("misdeal", "PIT-1", 0, "round")
    assert [due(made, part, w, quote_for(made, part)) for w in (ante, play, free)] == [(10_00, 0), (10_00, 0), (0, 0)]


@pytest.mark.parametrize(
    ("player", "dealer", "line"),
    [
        ("4h 5h 6h", "7h Kh 8c", "flush"),
        ("7s 7d 7c", "Kd Ks 2h", "full_house"),
        ("As 2d 3c", "4h 5s Kd", "straight"),
        ("As Ks Qs", "Js Ts 2h", "royal_flush"),
        ("9d Td Jd", "Qd Kd Ad", "super_royal_diamonds"),
        ("Ks Ad 2c", "3h 4s 9d", "high_card"),
    ],
)
def test_best_five_of_six(player: str, dealer: str, line: str) -> None:
    assert best_five(player.split(), dealer.split()) == line
