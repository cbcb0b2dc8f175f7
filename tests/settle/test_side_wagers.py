"""58 Pa. Code §§ 649a.12(d)-(g), 649b.3, 649b.5: a side wager is judged on some cards and paid by its filed lines."""

from __future__ import annotations

import pytest

from tests.support.chunks import bet, player
from tests.support.filings import PAIR_PLUS, SIX_CARD_BONUS, filing
from tests.support.settled import (
    FLUSH,
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

ROYALS = {"super_royal_diamonds": {"flat": "1000000.00", "currency": "USD"}, "super_royal_other": {"flat": "100000.00", "currency": "USD"}}
SUPER = {**SIX_CARD_BONUS, "odds": ROYALS | SIX_CARD_BONUS["odds"], "stake_returned": True, "super_royal": "six_suited_nine_to_ace"}


def side(kind: str, **table: object) -> list[dict[str, object]]:
    base = {"forfeited_by_fold": False, "judged_on": "player_three"}
    return [filing(wagers={kind: {**base, **table}})]


@pytest.mark.parametrize(
    ("hand", "handed_back", "line"),
    [(HIGH, "0", None), (PAIR, "10", "pair"), (FLUSH, "25", "flush"), (STRAIGHT, "35", "straight"), (TRIPS, "155", "three_of_a_kind"),
     (STRAIGHT_FLUSH, "205", "straight_flush"), (MINI_ROYAL, "205", "straight_flush")],
)  # fmt: skip
def test_649a_12_d_pair_plus_pays_by_the_players_three_cards(hand: str, handed_back: str, line: str | None) -> None:
    got = settled_one(("pair_plus", "5.00"), player=hand, dealer="Td Tc 2s")["pair_plus"]
    assert (due(got), got["line"], got["outcome"]) == ((handed_back, None), line, "win" if line else "lose")
    assert got["rule"] == (f"pair_plus.odds.{line}" if line else "pair_plus.odds")
    assert got["odds"] == (PAIR_PLUS["odds"][line] if line else None)


def test_649a_12_g_mini_royal_replaces_the_straight_flush_line() -> None:
    under = [filing(wagers={"pair_plus": {**PAIR_PLUS, "odds": {**PAIR_PLUS["odds"], "mini_royal": "50 to 1"}}})]
    for hand, line in (
        (MINI_ROYAL_SPADES, "mini_royal"),
        (MINI_ROYAL, "mini_royal"),
        (STRAIGHT_FLUSH, "straight_flush"),
        ("Ah 2h 3h", "straight_flush"),
    ):
        assert settled_one(("pair_plus", "5.00"), player=hand, dealer="Td Tc 4s", under=under)["pair_plus"]["line"] == line


@pytest.mark.parametrize(
    ("hand", "dealer", "category", "line"),
    [
        ("Th Jh Qh", "Kh Ah 2s", "royal_flush", "royal_flush"),
        ("9h Th Jh", "Qh Kh 2s", "straight_flush", "straight_flush"),
        ("9h 9d 9s", "9c Kh 2s", "four_of_a_kind", "four_of_a_kind"),
        ("9h 9d 9s", "Kc Kh Ks", "full_house", "full_house"),
        ("2h 5h 9h", "Jh Kh Ks", "flush", "flush"),
        ("Ah 2h 3d", "4h 5s Ks", "straight", "straight"),
        ("9h 9d 2s", "9c Kh 3s", "three_of_a_kind", "three_of_a_kind"),
        ("9h 9d 2s", "2c Kh Ks", "two_pair", None),
        ("9h 9d 2s", "4c Kh Qs", "pair", None),
        ("9h 8d 2s", "4c Kh Qs", "high_card", None),
        ("2h 3h 4h", "8s 9s Ts", "high_card", None),
        ("Kh Ah 2d", "3s 4s 9s", "high_card", None),
    ],
)
def test_649a_12_f_six_card_bonus_pays_the_best_five_of_six(hand: str, dealer: str, category: str, line: str | None) -> None:
    got = settled_one(("six_card_bonus", "5.00"), player=hand, dealer=dealer)["six_card_bonus"]
    assert (got["hand_category"], got["line"]) == (category, line)


def test_649a_12_f_super_royal_pays_a_flat_amount_by_suit() -> None:
    in_diamonds = settled_one(
        ("six_card_bonus", "5.00"), player="9d Td Jd", dealer="Qd Kd Ad", under=[filing(wagers={"six_card_bonus": SUPER})]
    )
    assert due(in_diamonds["six_card_bonus"]) == ("1000005", None)
    assert (in_diamonds["six_card_bonus"]["line"], in_diamonds["six_card_bonus"]["odds"]) == ("super_royal_diamonds", "flat 1000000.00 USD")
    in_hearts = settled_one(
        ("six_card_bonus", "5.00"), player="9h Th Jh", dealer="Qh Kh Ah", under=[filing(wagers={"six_card_bonus": SUPER})]
    )
    assert (due(in_hearts["six_card_bonus"]), in_hearts["six_card_bonus"]["line"]) == (("100005", None), "super_royal_other")
    assert in_hearts["six_card_bonus"]["hand_category"] == "royal_flush"


def test_a_flat_award_without_the_stake_where_filed_so() -> None:
    table = {**SUPER, "stake_returned": False}
    got = settled_one(bet("six_card_bonus", "5.00"), player="9d Td Jd", dealer="Qd Kd Ad", under=[filing(wagers={"six_card_bonus": table})])
    assert due(got["six_card_bonus"]) == ("1000000", None)


def test_a_flat_award_in_another_currency_is_unsettleable() -> None:
    people = [player(("six_card_bonus", "5.00"), currency="EUR")]
    got = settled_one(participants=people, player="9d Td Jd", dealer="Qd Kd Ad", under=[filing(wagers={"six_card_bonus": SUPER})])
    assert (got["six_card_bonus"]["settlement"], got["six_card_bonus"]["settlement_reason"]) == ("unsettleable", "flat_currency")
    missed = settled_one(participants=people, player="9d Td 2c", dealer="Qd Kd 4s", under=[filing(wagers={"six_card_bonus": SUPER})])
    assert due(missed["six_card_bonus"]) == ("0", None)


def test_649b_5_b_six_card_royal_pays_20000_to_1() -> None:
    table = {**SIX_CARD_BONUS, "odds": {**SIX_CARD_BONUS["odds"], "six_card_royal": "20000 to 1"}}
    for hand, dealer in (("9d Td Jd", "Qd Kd Ad"), ("9s Ts Js", "Qs Ks As")):
        got = settled_one(("six_card_bonus", "5.00"), player=hand, dealer=dealer, under=[filing(wagers={"six_card_bonus": table})])
        assert (due(got["six_card_bonus"]), got["six_card_bonus"]["line"]) == (("100005", None), "six_card_royal")
    five = settled_one(("six_card_bonus", "5.00"), player="8s Ts Js", dealer="Qs Ks As", under=[filing(wagers={"six_card_bonus": table})])
    assert five["six_card_bonus"]["line"] == "royal_flush"


def test_a_royal_flush_without_a_line_of_its_own_pays_as_a_straight_flush() -> None:
    under = side("six_card_bonus", judged_on="best_five_of_six", odds={"straight_flush": "200 to 1", "flush": "15 to 1"})
    assert (
        settled_one(("six_card_bonus", "5.00"), player="9s Ts Js", dealer="Qs Ks As", under=under)["six_card_bonus"]["line"]
        == "straight_flush"
    )


def test_nothing_else_falls_through() -> None:
    under = side("six_card_bonus", judged_on="best_five_of_six", odds={"flush": "15 to 1", "three_of_a_kind": "5 to 1"})
    got = settled_one(("six_card_bonus", "5.00"), player="9s Ts Js", dealer="Qs Ks As", under=under)["six_card_bonus"]
    assert (due(got), got["hand_category"]) == (("0", None), "royal_flush")
    house = settled_one(("six_card_bonus", "5.00"), player="9s 9h 9d", dealer="Ks Kh 2s", under=under)["six_card_bonus"]
    assert (due(house), house["hand_category"]) == (("0", None), "full_house")


def test_649b_3_player_bonus_pays_its_filed_lines() -> None:
    under = side("player_bonus", forfeited_by_fold=True, odds={"mini_royal": "50 to 1", "straight_flush": "30 to 1"})
    assert due(settled_one(("player_bonus", "5.00"), player=MINI_ROYAL, under=under)["player_bonus"]) == ("255", None)
    folded = settled_one(("ante", "5.00"), ("player_bonus", "5.00"), player=MINI_ROYAL, under=under)["player_bonus"]
    assert (due(folded), folded["rule"]) == (("0", None), "player_bonus.forfeited_by_fold")


@pytest.mark.parametrize("kind", ["five_card_hand_bonus", "five_of_six_progressive", "lucky_thirds"])
def test_a_new_wager_is_a_filing_not_code(kind: str) -> None:
    under = side(kind, judged_on="best_five_of_six", odds={"two_pair": "7 to 2"})
    got = settled_one((kind, "5.00"), player="9h 9d 2s", dealer="2c Kh Qs", under=under)[kind]
    assert (due(got), got["rule"]) == (("22.5", None), f"{kind}.odds.two_pair")


def test_x_for_1_hands_back_x_stakes_in_all() -> None:
    under = side("progressive", odds={"mini_royal": "500 for 1", "straight": "7 for 2"})
    assert due(settled_one(("progressive", "5.00"), player=MINI_ROYAL, under=under)["progressive"]) == ("2500", None)
    assert due(settled_one(("progressive", "5.00"), player=STRAIGHT, under=under)["progressive"]) == ("17.5", None)


def test_a_free_wager_hands_back_winnings_without_the_stake() -> None:
    free = bet("pair_plus", "5.00", funding="free")
    assert due(settled_one(free, player=PAIR)["pair_plus"]) == ("5", None)
    assert due(settled_one(free, player=HIGH)["pair_plus"]) == ("0", None)
    priced_for = side("pair_plus", odds={"pair": "3 for 1", "flush": "1 for 2"})
    assert due(settled_one(free, player=PAIR, under=priced_for)["pair_plus"]) == ("10", None)
    assert due(settled_one(free, player=FLUSH, under=priced_for)["pair_plus"]) == ("0", None)


def test_a_kind_that_is_not_filed_is_unsettleable() -> None:
    got = settled_one(("ante", "5.00"), ("play", "5.00"), ("moonshot", "1.00"), ("ante_bonus", "1.00"), player=PAIR)
    assert (got["moonshot"]["settlement"], got["moonshot"]["settlement_reason"]) == ("unsettleable", "wager_not_offered")
    assert (got["ante_bonus"]["settlement_reason"], got["moonshot"]["hand_category"]) == ("wager_not_offered", None)
    assert got["ante"]["settlement"] == "settled"


def test_a_hand_is_judged_the_same_in_any_order_of_cards() -> None:
    for hand in ("3d Ah 2s", "2s 3d Ah", "Ah 2s 3d"):
        assert settled_one(("pair_plus", "5.00"), player=hand, dealer="Kd Kc 4h")["pair_plus"]["hand_category"] == "straight"
    assert settled_one(("pair_plus", "5.00"), player="Kh As 2d", dealer="Kd Kc 4h")["pair_plus"]["hand_category"] == "high_card"
