"""The SQL engine's amounts: prices, lines, rounding, free wagers, meters and limits, exact to the last digit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pipeline.settle.twin import settle_files
from tests.support.chunks import Row, bet, make_round, player
from tests.support.filings import filing, make_filed
from tests.support.twins import in_brief, settled

PLAYED = [("ante", "10.00"), ("play", "10.00")]
SPADES, HEARTS = "As Ks Qs", "Ah Kh Qh"
LINKED = {
    "mini_royal_spades": "50 to 1",
    "mini_royal": "5 to 1",
    "straight_flush": "4 to 1",
    "three_of_a_kind": "3 to 1",
    "straight": "1 to 1",
}
BIG = "999999999999.999999"


def side(odds: Row, **keys: Any) -> Row:
    """A filing that offers one more wager, ``extra``, judged on the player's three cards."""
    return filing(
        wagers={"extra": {"odds": odds, "judged_on": "player_three", "forfeited_by_fold": False, **keys}}, **keys.pop("filed", {})
    )


def extra(odds: Row, *, stake: str = "10.00", hand: str = "Qs Qd 5h", filed: Row | None = None, **keys: Any) -> str:
    """What becomes of the wager ``extra`` alone."""
    fields = {name: keys.pop(name) for name in ("meters",) if name in keys}
    wager = {name: keys.pop(name) for name in ("funding", "currency") if name in keys}
    people = [player(bet("extra", stake, funding=wager.get("funding")), currency=wager.get("currency", "USD"))]
    under = filed or side(odds, **keys)
    return in_brief(settled(make_round(hand, participants=people, **fields), filed=make_filed(under)))["extra"]


@pytest.mark.parametrize(
    ("hand", "bonus"),
    [("6h 7h 8h", "50"), ("6h 6d 6c", "40"), ("6h 7d 8c", "10"), (SPADES, "50"), ("2h 5h 9h", ""), ("6h 6d 9c", "")],
)
def test_649a_12_b_ante_bonus(hand: str, bonus: str) -> None:
    rows = settled(make_round(hand, "Jd 7c 2s", PLAYED))
    assert in_brief(rows)["ante"] == "win 20" + (f" + {bonus}" if bonus else "")


def test_the_ante_bonus_is_paid_though_the_dealer_is_higher() -> None:
    assert in_brief(settled(make_round("6h 7d 8c", "Td Js Qh", PLAYED))) == {"ante": "lose 0 + 10", "play": "lose 0"}


def test_no_ante_bonus_after_a_fold() -> None:
    rows = settled(make_round("6h 7h 8h", wagers=[("ante", "10.00")]))
    assert (rows["r1-p1-ante"]["line"], in_brief(rows)["ante"]) == (None, "forfeit 0")


@pytest.mark.parametrize(
    ("hand", "line", "bonus"), [(SPADES, "mini_royal_spades", "500"), (HEARTS, "mini_royal", "50"), ("6h 7h 8h", "straight_flush", "40")]
)
def test_649a_12_c_the_most_specific_line_pays(hand: str, line: str, bonus: str) -> None:
    rows = settled(make_round(hand, "Jd 7c 2s", PLAYED), wagers={"ante_bonus": {"odds": LINKED}})
    assert (rows["r1-p1-ante"]["line"], in_brief(rows)["ante"]) == (line, f"win 20 + {bonus}")


def test_a_bonus_for_one_holds_no_stake() -> None:
    rows = settled(make_round("6h 7d 8c", "Jd 7c 2s", PLAYED), wagers={"ante_bonus": {"odds": {"straight": "3 for 1"}}})
    assert in_brief(rows)["ante"] == "win 20 + 30"


@pytest.mark.parametrize(
    ("hand", "dealer", "line", "due"),
    [
        ("Ts Js Qs", "Ks As 2d", "royal_flush", "win 3003"), ("6h 7h 8h", "9h Th 2d", "straight_flush", "win 603"),
        ("7s 7d 7h", "7c 2s 2d", "four_of_a_kind", "win 153"), ("7s 7d 7h", "2c 2s 2d", "full_house", "win 78"),
        ("2s 4s 6s", "8s Ts 3d", "flush", "win 63"), ("As 2d 3h", "4c 5s 5d", "straight", "win 33"),
        ("7s 7d Kh", "7c 2s 4d", "three_of_a_kind", "win 18"), ("7s 7d Kh", "Kc 2s 4d", None, "lose 0"),
    ],
)  # fmt: skip
def test_649a_12_f_six_card_bonus(hand: str, dealer: str, line: str | None, due: str) -> None:
    rows = settled(make_round(hand, dealer, [("six_card_bonus", "3.00")]))
    assert (rows["r1-p1-six_card_bonus"]["line"], in_brief(rows)["six_card_bonus"]) == (line, due)


SUPER = {
    "super_royal_diamonds": {"flat": "1000000.00", "currency": "USD"}, "super_royal_other": {"flat": "100000.00", "currency": "USD"},
    "royal_flush": "1000 to 1",
}  # fmt: skip


@pytest.mark.parametrize(("suit", "due", "with_stake"), [("d", "win 1000000", "win 1000003"), ("h", "win 100000", "win 100003")])
def test_649a_12_f_super_royal(suit: str, due: str, with_stake: str) -> None:
    table = {"odds": SUPER, "forfeited_by_fold": False, "judged_on": "best_five_of_six", "stake_returned": False}
    cards = [f"{rank}{suit}" for rank in "9TJQKA"]
    told = make_round(" ".join(cards[:3]), " ".join(cards[3:]), [("six_card_bonus", "3.00")])
    assert in_brief(settled(told, wagers={"six_card_bonus": table}))["six_card_bonus"] == due
    returned = in_brief(settled(told, wagers={"six_card_bonus": {**table, "stake_returned": True}}))
    assert returned["six_card_bonus"] == with_stake


def test_649b_5_b_six_card_royal_falls_through() -> None:
    told = make_round("9d Td Jd", "Qd Kd Ad", [("six_card_bonus", "3.00")])
    for line, odds, due in (("six_card_royal", "20000 to 1", "win 60003"), ("straight_flush", "200 to 1", "win 603")):
        table = {"odds": {line: odds}, "forfeited_by_fold": False, "judged_on": "best_five_of_six"}
        row = settled(told, wagers={"six_card_bonus": table})["r1-p1-six_card_bonus"]
        assert (row["line"], row["hand_category"]) == (line, "royal_flush")
        assert in_brief({"r1-p1-x": row})["x"] == due


def test_the_highest_hands_are_paid_by_the_highest_line_that_is_filed() -> None:
    hands = {"mini": (HEARTS, "7c 3d 2s"), "spades": (SPADES, "7c 3d 2s"), "royal": ("Ts Js Qs", "Ks As 2d"),
             "hearts": ("9h Th Jh", "Qh Kh Ah"), "diamonds": ("9d Td Jd", "Qd Kd Ad")}  # fmt: skip
    sides = [("pair_plus", "5.00"), ("six_card_bonus", "3.00")]
    told = [make_round(hand, dealer, sides, round_id=name) for name, (hand, dealer) in hands.items()]
    on_three, on_six = {f"{name}-p1-pair_plus" for name in hands}, {f"{name}-p1-six_card_bonus" for name in ("royal", "hearts", "diamonds")}
    for line in ("straight_flush", "royal_flush"):
        odds = {kind: {"straight_flush": "200 to 1", six: "300 to 1"} for kind, six in (("pair_plus", "pair"), ("six_card_bonus", line))}
        rows = settled(*told, wagers={kind: {"odds": priced, "forfeited_by_fold": False} for kind, priced in odds.items()})
        assert {wager_id for wager_id, row in rows.items() if row["line"] == line} == (
            on_three | on_six if line == "straight_flush" else on_six
        )


def test_nothing_else_falls_through() -> None:
    assert extra({"straight_flush": "40 to 1", "straight": "6 to 1", "high_card": "1 to 1"}, hand="2h 5h 9h") == "lose 0"


@pytest.mark.parametrize(
    ("price", "due"), [("3 to 2", "win 25"), ("3 for 2", "win 15"), ("1 to 3", "win 13.333333"), ("2 to 3", "win 16.666667")]
)
def test_to_hands_the_stake_back_and_for_does_not(price: str, due: str) -> None:
    assert extra({"pair": price}) == due


@pytest.mark.parametrize(
    ("price", "due"), [("3 to 2", "win 15"), ("3 for 2", "win 5"), ("1 for 2", "win 0"), ({"flat": "25.00", "currency": "USD"}, "win 15")]
)
def test_a_free_wager_hands_back_the_winnings_without_the_stake(price: str | Row, due: str) -> None:
    assert extra({"pair": price}, funding="free", stake_returned=False) == due


def test_a_free_ante_keeps_its_bonus_and_a_free_push_hands_back_nothing() -> None:
    wagers = [bet("ante", funding="free"), bet("play", funding="free")]
    assert in_brief(settled(make_round("6h 7d 8c", "Jd 7c 2s", wagers))) == {"ante": "win 10 + 10", "play": "push 0"}


@pytest.mark.parametrize(
    ("rounding", "currency", "stake", "due"),
    [
        ("exact", "USD", "0.01", "win 0.012857"), ("down", "USD", "0.01", "win 0.01"), ("half_up", "USD", "0.01", "win 0.01"),
        ("down", "USD", "0.07", "win 0.09"), ("half_up", "USD", "0.05", "win 0.06"), ("half_up", "USD", "0.175", "win 0.23"),
        ("down", "JPY", "101", "win 129"), ("half_up", "JPY", "101", "win 130"), ("down", "KWD", "0.101", "win 0.129"),
        ("half_up", "KWD", "0.101", "win 0.13"), ("half_up", "XYZ", "0.175", "win 0.23"),
    ],
)  # fmt: skip
def test_rounding_is_once_and_to_the_currencys_coin(rounding: str, currency: str, stake: str, due: str) -> None:
    assert extra({"pair": "2 to 7"}, rounding=rounding, currency=currency, stake=stake) == due


def test_the_bonus_is_rounded_as_filed_for_the_bonus() -> None:
    wagers = {"ante_bonus": {"odds": {"straight": "1 to 3"}, "rounding": "half_up"}}
    rows = settled(make_round("6h 7d 8c", "Jd 7c 2s", PLAYED), wagers=wagers)
    assert in_brief(rows)["ante"] == "win 20 + 3.33"


def test_a_flat_amount_in_another_currency_is_not_converted() -> None:
    assert extra({"pair": {"flat": "25.00", "currency": "EUR"}}, stake_returned=False) == "unsettleable: flat_currency"


@pytest.mark.parametrize("price", ["20000 to 1", "20001 for 1"])
def test_the_largest_stake_at_the_largest_price_is_exact(price: str) -> None:
    due = "20000999999999999.979999"
    assert extra({"pair": price}, stake=BIG) == f"win {due}"


def test_a_million_flat_on_the_largest_stake() -> None:
    assert extra({"pair": {"flat": "1000000.00", "currency": "USD"}}, stake=BIG, stake_returned=True) == "win 1000000999999.999999"


def meter(**fields: Any) -> Row:
    base = {"meter_id": "M1", "kind": "extra", "before": "1000.00", "contribution": "0.50", "currency": "USD"}
    return {**base, **fields}


def metered(share: str = "10 %", *, several: str = "share_equally", **keys: Any) -> Row:
    table = {"odds": {"pair": {"meter": share}}, "judged_on": "player_three", "forfeited_by_fold": True, "stake_returned": False, **keys}
    return filing(wagers={"extra": table}, meters={"M1": {"share_of": "extra", "several_winners": several}})


@pytest.mark.parametrize(("share", "returned", "due"), [("100 %", False, "1000.5"), ("10 %", False, "100.05"), ("10 %", True, "110.05")])
def test_649a_12_e_a_meter_pays_its_share(share: str, returned: bool, due: str) -> None:
    assert extra({}, filed=metered(share, stake_returned=returned), meters=[meter()]) == f"win {due}"


@pytest.mark.parametrize("meters", [[], [meter(kind="other", meter_id="M9")], [meter(before=None)], [meter(currency="EUR")]])
def test_a_meter_that_the_round_does_not_show(meters: list[Row]) -> None:
    assert extra({}, filed=metered(), meters=meters) == "unsettleable: meter_missing"


def test_a_meter_is_the_filings_before_the_logs() -> None:
    meters = [meter(meter_id="M7", before="5.00"), meter(kind=None, currency=None)]
    assert extra({}, filed=metered("100 %"), meters=meters) == "win 1000.5"


@pytest.mark.parametrize(("several", "due"), [("share_equally", "win 33.35"), ("each_in_full", "win 100.05")])
def test_several_winners_of_one_meter(several: str, due: str) -> None:
    winner = ("extra", "10.00")
    people = [
        player(winner), player(winner, player_id="p2"), player(winner, player_id="p3"), player(winner, player_id="p4", play_mode="test"),
        player(("ante", "10.00"), winner, player_id="p5"), player(bet("extra", status="rejected"), player_id="p6"),
    ]  # fmt: skip
    rows = settled(make_round(participants=people, meters=[meter()]), filed=make_filed(metered(several=several)))
    got = {wager_id: in_brief({"x": row})["x"] for wager_id, row in rows.items()}
    assert {got[f"r1-p{number}-extra"] for number in (1, 2, 3, 4)} == {due}
    assert got["r1-p5-extra"] == "forfeit 0"


CAP = {"amount": "30.00", "currency": "USD", "per": "player_round", "kinds": None, "cut": "last_first"}
WINNING = [("ante", "10.00"), ("play", "10.00"), ("pair_plus", "20.00")]


def capped(people: list[Row] | None = None, **cap: Any) -> list[str]:
    told = make_round(participants=people or [player(*WINNING)])
    return list(in_brief(settled(told, cap={**CAP, **cap})).values())


def test_an_aggregate_limit_cuts_from_the_last_wager_on() -> None:
    assert capped() == ["win 20", "win 20", "win 30"]
    assert capped(amount="5.00") == ["win 15", "win 10", "win 20"]
    assert capped(amount="40.00") == ["win 20", "win 20", "win 40"]


def test_an_aggregate_limit_cuts_in_proportion_and_leaves_no_coin() -> None:
    assert capped(cut="pro_rata") == ["win 17.5", "win 17.5", "win 35"]
    assert capped(cut="pro_rata", amount="0.05") == ["win 10.01", "win 10.01", "win 20.03"]
    assert capped(cut="pro_rata", amount="0.10") == ["win 10.03", "win 10.02", "win 20.05"]
    people = [player(("pair_plus", stake), player_id=f"p{number}") for number, stake in enumerate(("5.00", "5.00", "7.00"))]
    assert capped(people, cut="pro_rata", per="round", amount="10.00") == ["win 7.94", "win 7.94", "win 11.12"]


def test_an_aggregate_limit_in_proportion_is_exact_where_a_product_would_pass_128_bits() -> None:
    wager = ("pair_plus", "999999999999.99")
    told = make_round(participants=[player(wager, wager)])
    under = {"wagers": {"pair_plus": {"odds": {"pair": "20000 to 1"}, "forfeited_by_fold": True}}}
    rows = settled(told, cap={**CAP, "cut": "pro_rata", "amount": "10000000000000000"}, **under)
    assert list(in_brief(rows).values()) == ["win 5000999999999999.99"] * 2


def test_an_aggregate_limit_counts_only_its_kinds_and_currency() -> None:
    assert capped(kinds=["ante", "play"], amount="5.00") == ["win 15", "win 10", "win 40"]
    assert capped(currency="EUR", amount="5.00") == ["win 20", "win 20", "win 40"]


@pytest.mark.parametrize(("per", "due"), [("player_round", "40 40 40 40"), ("hand", "40 20 40 40"), ("round", "40 20 20 40")])
def test_an_aggregate_limit_per_player_hand_or_round_with_test_play_apart(per: str, due: str) -> None:
    wager = ("pair_plus", "20.00")
    people = [
        player(wager), player(wager, player_id="p2"), player(wager, player_id="p3", hand_id="H2"),
        player(wager, player_id="p4", play_mode="test"),
    ]  # fmt: skip
    told = make_round(hands={"H1": "Qs Qd 5h", "H2": "6h 6d 9c"}, participants=people)
    rows = settled(told, cap={**CAP, "per": per, "amount": "20.00"})
    assert " ".join(f"{row['expected']:.0f}" for row in rows.values()) == due
    assert [row["rule"] for row in rows.values()].count("aggregate_payout_limit") == due.split().count("20")


def test_an_aggregate_limit_takes_the_bonus_last() -> None:
    people = [player(*PLAYED)]
    told = make_round("6h 7d 8c", "Jd 7c 2s", participants=people)
    assert list(in_brief(settled(told, cap={**CAP, "kinds": ["ante"], "amount": "5.00"})).values()) == ["win 5 + 10", "push 10"]


@pytest.mark.parametrize(("dealer", "due"), [("Jd 7c 2s", ["win 20 + 5", "push 10"]), ("Td 9c 8s", ["lose 0 + 5", "lose 0"])])
def test_an_aggregate_limit_on_the_ante_bonus_alone_spares_the_ante(dealer: str, due: list[str]) -> None:
    told = make_round("6h 7d 8c", dealer, participants=[player(*PLAYED)])
    for cut in ("last_first", "pro_rata"):
        assert list(in_brief(settled(told, cap={**CAP, "kinds": ["ante_bonus"], "amount": "5.00", "cut": cut})).values()) == due


def test_no_statement_divides_into_a_float() -> None:
    for name, text in settle_files():
        code = "\n".join(line.partition("--")[0] for line in text.splitlines())
        assert "/" not in code.replace("//", ""), name
        assert not re.search(r"\b(DOUBLE|FLOAT|REAL)\b", code), name
