"""58 Pa. Code §§ 649a.7, 649a.11, 649a.12: ante, play and ante bonus."""

from __future__ import annotations

import polars as pl
import pytest

from pipeline.settle.terms import TO, WIN_CLASS, terms_of
from tests.support.chunks import bet, player
from tests.support.filings import filing, make_filed
from tests.support.settled import (
    DEALER_ACE,
    DEALER_TRIPS,
    DEALER_UNQUALIFIED,
    HIGH,
    MINI_ROYAL,
    MINI_ROYAL_SPADES,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    due,
    settled_one,
)

ANTE, PLAY = ("ante", "10.00"), ("play", "10.00")
LINKED = filing(
    wagers={
        "ante_bonus": {
            "odds": {
                "mini_royal_spades": "50 to 1",
                "mini_royal": "5 to 1",
                "straight_flush": "4 to 1",
                "three_of_a_kind": "3 to 1",
                "straight": "1 to 1",
            }
        }
    }
)


def test_649a_11_a_dealer_below_queen_high_pays_ante_and_returns_play() -> None:
    got = settled_one(ANTE, PLAY, player="3s 4d 6h", dealer=DEALER_UNQUALIFIED)
    assert (due(got["ante"]), due(got["play"])) == (("20", "0"), ("10", None))
    assert (got["ante"]["outcome"], got["play"]["outcome"], got["ante"]["rule"], got["play"]["rule"]) == (
        "win",
        "push",
        "qualifier",
        "qualifier",
    )
    assert got["ante"]["dealer_qualifies"] is False


def test_649a_11_a_higher_hand_is_paid_on_ante_and_play() -> None:
    got = settled_one(ANTE, ("play", "12.50"), player=PAIR, dealer=DEALER_ACE)
    assert (due(got["ante"]), due(got["play"])) == (("20", "0"), ("25", None))
    assert (got["ante"]["rule"], got["play"]["rule"]) == ("wagers.ante", "wagers.play")


def test_649a_11_a_lower_hand_loses_ante_and_play() -> None:
    got = settled_one(ANTE, PLAY, player=HIGH, dealer=DEALER_ACE)
    assert (due(got["ante"]), due(got["play"])) == (("0", "0"), ("0", None))
    assert got["ante"]["outcome"] == got["play"]["outcome"] == "lose"


def test_649a_11_a_equal_hands_push() -> None:
    got = settled_one(ANTE, PLAY, player="Ah 7d 2c", dealer=DEALER_ACE)
    assert (due(got["ante"]), due(got["play"])) == (("10", "0"), ("10", None))
    assert (got["ante"]["outcome"], got["ante"]["rule"]) == ("push", "tie")


def test_equal_hands_win_where_filed_so() -> None:
    got = settled_one(ANTE, PLAY, player="Ah 7d 2c", dealer=DEALER_ACE, under=[filing(tie="player_wins")])
    assert (due(got["ante"]), due(got["play"]), got["ante"]["rule"]) == (("20", "0"), ("20", None), "tie")


def test_the_tie_rule_waits_for_the_qualifier() -> None:
    got = settled_one(ANTE, PLAY, player="Jh 7d 2c", dealer=DEALER_UNQUALIFIED)
    assert (due(got["ante"]), due(got["play"])) == (("20", "0"), ("10", None))


@pytest.mark.parametrize(("dealer", "qualifies"), [("Qc 3d 2h", True), ("Jc Td 8h", False), ("2c 2d 3h", True), ("Ac Kd Jh", True)])
def test_dealer_qualifies_on_queen_high(dealer: str, *, qualifies: bool) -> None:
    assert settled_one(ANTE, PLAY, player="9s 9d 5h", dealer=dealer)["ante"]["dealer_qualifies"] is qualifies


def test_another_qualifier_is_filed() -> None:
    got = settled_one(ANTE, PLAY, player=PAIR, dealer="Jc 7d 2h", under=[filing(qualifier="J")])
    assert (got["play"]["outcome"], got["play"]["dealer_qualifies"]) == ("win", True)


def test_another_price_for_play_is_filed() -> None:
    under = [filing(wagers={"play": {"odds": {"win": "3 to 2"}}})]
    assert due(settled_one(ANTE, ("play", "5.01"), player=PAIR, dealer=DEALER_ACE, under=under)["play"]) == ("12.525", None)


@pytest.mark.parametrize(
    ("hand", "bonus", "line"), [(STRAIGHT, "10", "straight"), (TRIPS, "40", "three_of_a_kind"), (STRAIGHT_FLUSH, "50", "straight_flush")]
)
def test_649a_12_b_ante_bonus_pays_whoever_wins(hand: str, bonus: str, line: str) -> None:
    for dealer in (DEALER_ACE, DEALER_TRIPS, DEALER_UNQUALIFIED):
        got = settled_one(ANTE, PLAY, player=hand, dealer=dealer)["ante"]
        assert (due(got)[1], got["line"], got["odds"]) == (bonus, line, {"10": "1 to 1", "40": "4 to 1", "50": "5 to 1"}[bonus])


def test_649a_12_ante_bonus_is_not_paid_after_a_fold() -> None:
    got = settled_one(ANTE, player=STRAIGHT_FLUSH)["ante"]
    assert (due(got), got["outcome"], got["rule"], got["line"]) == (("0", "0"), "forfeit", "fold", None)


def test_649a_12_c_linked_ante_bonus_pays_ace_king_queen_by_suit() -> None:
    for hand, bonus, line in (
        (MINI_ROYAL_SPADES, "500", "mini_royal_spades"),
        (MINI_ROYAL, "50", "mini_royal"),
        ("2h 3h 4h", "40", "straight_flush"),
    ):
        got = settled_one(ANTE, PLAY, player=hand, under=[LINKED])["ante"]
        assert (due(got)[1], got["line"]) == (bonus, line)


def test_a_mini_royal_without_a_line_of_its_own_pays_as_a_straight_flush() -> None:
    got = settled_one(ANTE, PLAY, player=MINI_ROYAL_SPADES)["ante"]
    assert (due(got)[1], got["line"], got["hand_category"]) == ("50", "straight_flush", "straight_flush")


def test_a_bonus_holds_no_stake_even_when_priced_for() -> None:
    under = [filing(wagers={"ante_bonus": {"odds": {"straight": "3 for 2"}}})]
    assert due(settled_one(ANTE, PLAY, player=STRAIGHT, under=under)["ante"])[1] == "15"


def test_no_ante_bonus_filed_is_a_bonus_of_nothing() -> None:
    got = settled_one(ANTE, PLAY, player=STRAIGHT, under=[filing(without=("ante_bonus",))])["ante"]
    assert (due(got), got["line"]) == (("20", "0"), None)


def test_each_wager_settles_on_its_own_stake() -> None:
    got = settled_one(ANTE, bet("ante", "2.00", wager_id="again"), ("play", "3.00"), player=STRAIGHT, dealer=DEALER_ACE)
    assert (due(got["ante"]), due(got["again"]), due(got["play"])) == (("20", "10"), ("4", "2"), ("6", None))


def test_a_free_ante_hands_back_no_stake_and_its_bonus_whole() -> None:
    free = bet("ante", "10.00", funding="free")
    assert due(settled_one(free, PLAY, player=STRAIGHT, dealer=DEALER_ACE)["ante"]) == ("10", "10")
    assert due(settled_one(free, PLAY, player="Ah 7d 2c", dealer=DEALER_ACE)["ante"]) == ("0", "0")
    assert due(settled_one(free, PLAY, player=HIGH, dealer=DEALER_ACE)["ante"]) == ("0", "0")


def test_one_player_in_two_sessions_decides_twice() -> None:
    people = [player(ANTE, PLAY, session_id="s1"), player(bet("ante", wager_id="folded"), session_id="s2")]
    got = settled_one(participants=people, player=PAIR, dealer=DEALER_ACE)
    assert (due(got["ante"]), due(got["folded"])) == (("20", "0"), ("0", "0"))


def test_seven_seats_are_judged_each_on_their_own_hand() -> None:
    hands = {"H1": "2s 3d 5h", "H2": "Qs Qd 5c", "H3": "Kh 9h 4h", "H4": "6c 7d 8h", "H5": "Tc Td Th", "H6": "Js 9s 8s", "H7": "As Ks Jc"}
    people = [
        player(bet("ante", wager_id=f"ante-{hand}"), bet("play", wager_id=f"play-{hand}"), player_id=f"p{hand}", hand_id=hand)
        for hand in hands
    ]
    got = settled_one(participants=people, hands=hands, dealer="Ad 7c 2h")
    assert [due(got[f"ante-{hand}"]) for hand in hands] == [
        ("0", "0"),
        ("20", "0"),
        ("20", "0"),
        ("20", "10"),
        ("20", "40"),
        ("20", "0"),
        ("20", "0"),
    ]
    assert got["ante-H7"]["hand_category"] == "high_card"


def test_the_terms_of_ante_and_play_are_even_money() -> None:
    terms = terms_of(make_filed(filing()))
    wins = terms.pays.filter(pl.col("kind").is_in(["ante", "play"]), hand_class=WIN_CLASS)
    assert wins.select("line", "basis", "num", "den", "odds", "rule").rows() == [("win", TO, 1, 1, "1 to 1", None)] * 2
