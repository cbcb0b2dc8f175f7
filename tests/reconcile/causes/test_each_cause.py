"""Contract § 5: every root cause has its smallest wager, and the nearest other cause does not claim it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pipeline.reconcile.causes import HYPOTHESES
from tests.support.chunks import make_round, player, reading
from tests.support.diagnosed import Cause, diagnosed, diagnosed_one
from tests.support.filings import PAIR_PLUS, SIX_CARD_BONUS, filing

HIGH = "Ks 9d 4h"
MAIN = [("ante", "10.00"), ("play", "10.00")]

NAMES = [
    "ace_low_straight_missed",
    "ace_low_straight_too_high",
    "ace_low_straight_tied",
    "ace_high_straight_missed",
    "false_straight",
    "straight_missed",
    "five_card_order",
    "trips_read_as_pair",
    "pair_rank_ignored",
    "pair_rank_wrong_card",
    "ranks_summed",
    "pair_kicker_ignored",
    "kickers_ignored",
    "lowest_card_first",
    "dealt_order_dependent",
    "ranks_as_text",
    "mini_royal_missed",
    "mini_royal_unfiled",
    "sides_swapped",
    "qualifier_ignored",
    "qualifier_top_card_only",
    "qualifier_threshold",
    "play_paid_unqualified",
    "ante_pushed_unqualified",
    "ante_lost_unqualified",
    "play_lost_unqualified",
    "ante_play_swapped",
    "lost_to_unqualified_dealer",
    "tie_lost",
    "tie_won",
    "tie_one_stake",
    "tie_before_qualifier",
    "ante_bonus_missing",
    "ante_bonus_only_on_win",
    "ante_bonus_wrong_base",
    "ante_bonus_after_fold",
    "fold_ignored",
    "forfeited_in_error",
    "pair_plus_tied_to_main",
    "void_ignored",
    "void_scope_wrong",
    "six_card_repeated_rank",
    "six_card_three_pairs",
    "six_card_four_run",
    "six_card_full_house_missed",
    "six_card_split_straight_flush",
    "six_card_trips_in_one_hand",
    "six_card_from_three",
    "first_reading_used",
    "other_hand",
    "stale_result",
    "paid_other_stake",
    "filing_of_other_operator",
    "other_paytable",
    "stake_not_returned",
    "for_paid_as_to",
    "stake_returned_twice",
    "stake_kept_on_miss",
    "win_pays_nothing",
    "paid_twice",
    "flat_times_stake",
    "meter_share_as_odds",
    "aggregate_limit_missed",
    "rounding",
    "wrong_minor_unit",
]


def test_the_hypotheses_are_the_contracts() -> None:
    names = [hypothesis.name for hypothesis in HYPOTHESES]
    assert sorted(names) == sorted(NAMES)


def check(cause: Cause, name: str, other: str) -> None:
    assert cause.all is not None
    assert name in cause.all, cause
    assert other not in cause.all, cause


def pays(kind: str, paid: str, stake: str = "5.00") -> list[tuple[str, ...]]:
    return [(kind, stake, paid)]


def main(ante: str | None = None, play: str | None = None) -> list[tuple[str | None, ...]]:
    return [("ante", "10.00", ante), ("play", "10.00", play)]


PAIR_PLUS_CASES = [
    ("ace_low_straight_missed", "As 2d 3c", "Jd 7c 3s", "0.00", "ace_high_straight_missed"),
    ("ace_high_straight_missed", "As Kd Qc", "Jd 7c 3s", "0.00", "ace_low_straight_missed"),
    ("straight_missed", "6c 7d 8h", "Jd 7c 3s", "0.00", "ace_low_straight_missed"),
    ("false_straight", "Ks Ad 2c", "Jd 7c 3s", "35.00", "stake_kept_on_miss"),
    ("false_straight", "As 3d 4c", "Jd 7c 3s", "35.00", "straight_missed"),
    ("false_straight", "As Jh Tc", "Jd 7c 3s", "35.00", "straight_missed"),
    ("false_straight", "As Ad 2c", "Jd 7c 3s", "35.00", "trips_read_as_pair"),
    ("five_card_order", "2h 7h 9h", "Jd 7c 3s", "35.00", "false_straight"),
    ("trips_read_as_pair", "6c 6d 6h", "Jd 7c 3s", "10.00", "stake_not_returned"),
    ("dealt_order_dependent", "8s 6d 7h", "Jd 7c 3s", "0.00", "ace_low_straight_missed"),
    ("mini_royal_unfiled", "Ah Kh Qh", "Jd 7c 3s", "255.00", "mini_royal_missed"),
    ("stake_not_returned", "6c 6d 6h", "Jd 7c 3s", "150.00", "other_paytable"),
    ("other_paytable", "6c 6d 6h", "Jd 7c 3s", "130.00", "filing_of_other_operator"),
    ("stake_returned_twice", "6c 6d 6h", "Jd 7c 3s", "160.00", "paid_twice"),
    ("stake_kept_on_miss", HIGH, "Jd 7c 3s", "5.00", "false_straight"),
    ("win_pays_nothing", "2h 7h 9h", "Jd 7c 3s", "0.00", "stake_not_returned"),
    ("paid_twice", "2h 7h 9h", "Jd 7c 3s", "50.00", "stake_returned_twice"),
    ("wrong_minor_unit", "Qs Qd 5h", "Jd 7c 3s", "1000.00", "paid_twice"),
    ("wrong_minor_unit", "Qs Qd 5h", "Jd 7c 3s", "0.01", "win_pays_nothing"),
]  # fmt: skip

ANTE_CASES = [
    ("ace_low_straight_too_high", "As 2d 3c", "6s 5d 4c", "30.00", "ace_low_straight_tied"),
    ("ace_low_straight_tied", "As 2d 3c", "4s 3d 2h", "20.00", "ace_low_straight_too_high"),
    ("ace_low_straight_tied", "As 2d 3c", "Ad Kh Qs", "20.00", "ace_low_straight_missed"),
    ("five_card_order", "2h 7h 9h", "6s 5d 4c", "20.00", "trips_read_as_pair"),
    ("five_card_order", "7s 6d 5h", "4s 4d 4c", "30.00", "straight_missed"),
    ("pair_rank_ignored", "5s 5d Ac", "9s 9d 2c", "20.00", "pair_kicker_ignored"),
    ("pair_rank_wrong_card", "9s 9d 3c", "5h 5c 4d", "0.00", "pair_rank_ignored"),
    ("ranks_summed", "Ks 8d 2c", "Qd Js 9c", "0.00", "kickers_ignored"),
    ("pair_kicker_ignored", "9s 9d Ac", "9c 9h 4c", "10.00", "pair_rank_ignored"),
    ("kickers_ignored", "Ks 9d 4c", "Kd 8s 3c", "10.00", "pair_kicker_ignored"),
    ("lowest_card_first", "Ks 9d 2c", "Qd 8s 3c", "0.00", "kickers_ignored"),
    ("ranks_as_text", "Ts 9d 2c", "Ad 8s 3c", "20.00", "ranks_summed"),
    ("qualifier_ignored", "Ts 7d 2c", "Jd 8s 3c", "0.00", "qualifier_top_card_only"),
    ("qualifier_top_card_only", "Qs 9d 5c", "8s 8d Jc", "20.00", "qualifier_threshold"),
    ("ante_pushed_unqualified", "Qs 9d 5c", "Jd 8s 3c", "10.00", "ante_lost_unqualified"),
    ("ante_lost_unqualified", "Qs 9d 5c", "Jd 8s 3c", "0.00", "ante_pushed_unqualified"),
    ("tie_lost", "Qs 9d 5c", "Qd 9c 5s", "0.00", "tie_won"),
    ("tie_won", "Qs 9d 5c", "Qd 9c 5s", "20.00", "tie_lost"),
    ("tie_before_qualifier", "Js 8d 3c", "Jd 8s 3h", "10.00", "tie_one_stake"),
    ("ante_bonus_missing", "9s 8d 7c", "Ks 9d 4h", "20.00", "ante_bonus_only_on_win"),
    ("ante_bonus_only_on_win", "6s 5d 4c", "9s 8d 7c", "0.00", "ante_bonus_wrong_base"),
    ("ante_bonus_wrong_base", "9s 8d 7c", "Ks 9d 4h", "40.00", "ante_bonus_missing"),
    ("other_paytable", "7s 7d 7c", "Ks 9d 4h", "50.00", "trips_read_as_pair"),
]  # fmt: skip

PLAY_CASES = [
    ("qualifier_threshold", "Ks 7d 2c", "Qs 9d 3c", "10.00", "qualifier_top_card_only"),
    ("play_paid_unqualified", "Qs 9d 5c", "Jd 8s 3c", "20.00", "play_lost_unqualified"),
    ("play_lost_unqualified", "Qs 9d 5c", "Jd 8s 3c", "0.00", "lost_to_unqualified_dealer"),
    ("tie_one_stake", "Qs 9d 5c", "Qd 9c 5s", "0.00", "tie_won"),
    ("sides_swapped", "Ks 9d 4h", "As 8d 3h", "20.00", "kickers_ignored"),
]  # fmt: skip

SIX_CASES = [
    ("six_card_repeated_rank", "5s 6d 7c", "8h 9d 9c", "0.00", "six_card_four_run"),
    ("six_card_three_pairs", "9h 9d 2s", "2c Kh Ks", "130.00", "six_card_full_house_missed"),
    ("six_card_four_run", "5s 6d 7c", "8h Kd 2c", "55.00", "six_card_repeated_rank"),
    ("six_card_full_house_missed", "7s 7d 7c", "Kd Ks 2h", "30.00", "six_card_trips_in_one_hand"),
    ("six_card_split_straight_flush", "4h 5h 6h", "7h Kh 8c", "1005.00", "five_card_order"),
    ("five_card_order", "4h 5h 6h", "7h Kh 8c", "55.00", "six_card_split_straight_flush"),
    ("six_card_trips_in_one_hand", "7s 7d 2c", "7h Ks 9d", "0.00", "six_card_full_house_missed"),
    ("six_card_from_three", "6s 5d 4c", "Kd Qs 9h", "55.00", "six_card_four_run"),
]  # fmt: skip
CASES = [
    (kind, *case)
    for kind, cases in (("pair_plus", PAIR_PLUS_CASES), ("ante", ANTE_CASES), ("play", PLAY_CASES), ("six_card_bonus", SIX_CASES))
    for case in cases
]


@cache
def diagnosed_cases() -> dict[str, Cause]:
    """Every case at a table of its own, all in one night: diagnosis is laid out for many wagers."""
    rounds = []
    for number, (kind, _, hand, dealer, paid, _) in enumerate(CASES):
        main = [(name, "10.00", paid if kind == name else None) for name in ("ante", "play")]
        wagers = main if kind in {"ante", "play"} else [(kind, "5.00", paid)]
        rounds.append(make_round(player=hand, dealer=dealer, wagers=wagers, round_id=f"r{number}", table_id=f"T{number}"))
    return diagnosed(*rounds, under=[filing(tables=[f"T{number}" for number in range(len(CASES))])])


@pytest.mark.parametrize(("number", "case"), list(enumerate(CASES)), ids=[f"{case[1]}-{case[2]}" for case in CASES])
def test_the_smallest_wager_shows_it(number: int, case: tuple[str, ...]) -> None:
    kind, name, _, _, _, other = case
    check(diagnosed_cases()[f"r{number}-p1-{kind}"], name, other)


def test_what_strikes_both_wagers_comes_before_what_strikes_one() -> None:
    swapped = diagnosed_one(*main("10.00", "20.00"), player="Qs 9d 5c", dealer="Jd 8s 3c")
    assert [swapped[kind].first for kind in ("ante", "play")] == ["ante_play_swapped"] * 2
    lost = diagnosed_one(*main("0.00", "0.00"), player="Ts 7d 2c", dealer="Jd 8s 3c")
    assert [lost[kind].first for kind in ("ante", "play")] == ["lost_to_unqualified_dealer"] * 2
    tied = diagnosed_one(*main("10.00", "0.00"), player="Qs 9d 5c", dealer="Qd 9c 5s")
    assert (tied["play"].first, tied["play"].detail) == ("tie_one_stake", "only the ante")


def test_fold() -> None:
    ante = diagnosed_one(("ante", "10.00", "10.00"), player="6s 5d 4c", dealer="Ad 7c 2s")["ante"]
    check(ante, "ante_bonus_after_fold", "ante_bonus_missing")
    fold = [("ante", "10.00"), ("pair_plus", "5.00", "10.00")]
    check(diagnosed_one(*fold, player="Qs Qd 5h")["pair_plus"], "fold_ignored", "forfeited_in_error")
    taken = diagnosed_one(("ante", "10.00"), ("six_card_bonus", "5.00", "0.00"), player="4s 4d 2c", dealer="4h Kd 9c")
    assert taken["six_card_bonus"].first == "forfeited_in_error"
    tied = diagnosed_one(*MAIN, ("pair_plus", "5.00", "0.00"), player="4s 4d 2c", dealer="Ks Kd 9c")
    check(tied["pair_plus"], "pair_plus_tied_to_main", "forfeited_in_error")


def test_void() -> None:
    void = {"reason": "misdeal", "authorised_by": "S1", "at": "+39.000"}
    whole = diagnosed_one(("pair_plus", "5.00", "10.00"), player="Qs Qd 5h", status="voided", void={**void, "scope": "round"})
    check(whole["pair_plus"], "void_ignored", "void_scope_wrong")
    part = {**void, "scope": "part", "wager_ids": ["r1-p1-six_card_bonus"]}
    wagers = [("pair_plus", "5.00", "5.00"), ("six_card_bonus", "5.00", "5.00")]
    found = diagnosed_one(*wagers, player="6c 7d 8h", void=part)
    check(found["pair_plus"], "void_scope_wrong", "void_ignored")
    assert found["pair_plus"].detail == "a wager outside the void given back"


def test_first_reading_used_names_the_reading() -> None:
    wrong = [reading(1, "H1", 1, "Qs"), reading(2, "H1", 2, "9d"), reading(3, "H1", 3, "5h"), reading(4, "H1", 2, "Qd", replaces=2)]
    dealer = [reading(4 + place, "dealer", place, card) for place, card in enumerate(["Ad", "7c", "2s"], 1)]
    found = diagnosed_one(("pair_plus", "5.00", "0.00"), player="Qs Qd 5h", readings=wrong + dealer)["pair_plus"]
    assert (found.first, found.detail) == ("first_reading_used", "9d at place 2 of H1")


def test_other_hand_names_the_hand() -> None:
    told = make_round(hands={"H1": "Qs Qd 5h", "H2": HIGH}, participants=[player(("pair_plus", "5.00", "0.00"))])
    found = diagnosed(told)["r1-p1-pair_plus"]
    check(found, "other_hand", "stale_result")
    both = make_round(hands={"H1": "3s 7d 5h", "H2": "6h 6d 6s"}, participants=[player(("pair_plus", "5.00", "155.00"))])
    assert diagnosed(both)["r1-p1-pair_plus"][:3:2] == ("other_hand", "hand H2")


@pytest.mark.parametrize("chunks", [1, 2])
def test_stale_result_looks_at_the_round_before_also_in_another_chunk(chunks: int) -> None:
    first = make_round(player="6c 6d 6h", wagers=[("pair_plus", "5.00", "155.00")])
    other_table = make_round(player="Qs Qd 5h", wagers=[], round_id="x1", table_id="TCP-02", at="2026-11-03T15:00:30.000Z")
    second = make_round(player=HIGH, wagers=[("pair_plus", "5.00", "155.00")], round_id="r2", sequence=2, at="2026-11-03T15:01:00.000Z")
    found = diagnosed(first, other_table, second, chunks=chunks)["r2-p1-pair_plus"]
    check(found, "stale_result", "other_hand")
    assert (found.first, found.detail) == ("stale_result", "round r1")


def test_paid_other_stake_names_the_stake() -> None:
    found = diagnosed_one(("ante", "15.00"), ("play", "15.00"), ("pair_plus", "5.00", "105.00"), player="6c 7d 8h")["pair_plus"]
    assert (found.first, found.detail) == ("paid_other_stake", "stake 15.00 of the ante")


def test_filing_of_other_operator_names_the_filing() -> None:
    cheaper = {**PAIR_PLUS, "odds": {**PAIR_PLUS["odds"], "three_of_a_kind": "27 to 1"}}
    under = [filing(operators=["op-1"]), filing(filing_id="harbour", operators=["op-2"], wagers={"pair_plus": cheaper})]
    found = diagnosed_one(*pays("pair_plus", "140.00"), player="6c 6d 6h", under=under)["pair_plus"]
    check(found, "filing_of_other_operator", "stake_not_returned")
    assert found.detail in {"filing harbour", "three of a kind at 27 to 1 (filing harbour)"}


def test_other_paytable_names_price_line_and_source() -> None:
    found = diagnosed_one(*pays("pair_plus", "130.00"), player="6c 6d 6h")["pair_plus"]
    assert found == Cause("other_paytable", ["other_paytable"], "three of a kind at 25 to 1 (58 Pa. Code § 649a.12(d))")


def test_other_paytable_of_a_kind_without_licensed_prices_takes_those_of_a_kind_on_the_same_cards() -> None:
    under = trio(odds={"three_of_a_kind": "60 to 1"})
    found = diagnosed_one(*pays("trio", "155.00"), player="6c 6d 6h", under=under)["trio"]
    assert (found.first, found.detail) == ("other_paytable", "three of a kind at 30 to 1 (58 Pa. Code § 649a.12(d))")


def test_mini_royal_missed() -> None:
    under = [filing(wagers={"pair_plus": {**PAIR_PLUS, "odds": {"mini_royal": "50 to 1", **PAIR_PLUS["odds"]}}})]
    check(
        diagnosed_one(*pays("pair_plus", "205.00"), player="Ah Kh Qh", under=under)["pair_plus"], "mini_royal_missed", "mini_royal_unfiled"
    )


def trio(**table: Any) -> list[dict[str, Any]]:
    return [filing(wagers={"trio": {"forfeited_by_fold": False, "judged_on": "player_three", **table}})]


def test_for_paid_as_to() -> None:
    under = trio(odds={"three_of_a_kind": "60 for 1"})
    check(diagnosed_one(*pays("trio", "305.00"), player="6c 6d 6h", under=under)["trio"], "for_paid_as_to", "stake_not_returned")


def test_flat_times_stake() -> None:
    royals = {"super_royal_diamonds": {"flat": "1000000.00", "currency": "USD"}, **SIX_CARD_BONUS["odds"]}
    kind = {**SIX_CARD_BONUS, "odds": royals, "stake_returned": True, "super_royal": "six_suited_nine_to_ace"}
    hand, under = {"player": "9d Td Jd", "dealer": "Qd Kd Ad"}, [filing(wagers={"six_card_bonus": kind})]
    found = diagnosed_one(*pays("six_card_bonus", "5000005.00"), **hand, under=under)["six_card_bonus"]
    check(found, "flat_times_stake", "paid_twice")


def test_meter_share_as_odds() -> None:
    prog = {"progressive": {"forfeited_by_fold": False, "judged_on": "player_three", "odds": {"mini_royal_spades": {"meter": "100 %"}}}}
    under = [filing(wagers=prog, meters={"M1": {"share_of": "progressive"}})]
    meters = [{"meter_id": "M1", "kind": "progressive", "seq": 1, "before": "1000.00", "contribution": "0.50", "currency": "USD"}]
    found = diagnosed_one(*pays("progressive", "505.00"), player="As Ks Qs", meters=meters, under=under)["progressive"]
    check(found, "meter_share_as_odds", "stake_returned_twice")


def test_aggregate_limit_missed() -> None:
    under = [filing(cap={"amount": "100.00", "currency": "USD", "per": "player_round", "cut": "last_first"})]
    found = diagnosed_one(*pays("pair_plus", "205.00"), player="6h 7h 8h", under=under)["pair_plus"]
    assert found.all == ["aggregate_limit_missed"]


def test_rounding_names_the_way() -> None:
    under = trio(odds={"pair": "3 to 2"})
    found = diagnosed_one(("trio", "0.55", "1.37"), player="Qs Qd 5h", under=under)["trio"]
    assert (found.first, found.detail) == ("rounding", "down to the minor unit")
    assert diagnosed_one(("trio", "0.55", "1.375"), player="Qs Qd 5h", under=under) == {}


def test_nothing_that_reproduces_it_is_unexplained() -> None:
    assert diagnosed_one(*pays("pair_plus", "9.99"), player="Qs Qd 5h")["pair_plus"] == Cause("unexplained", [], None)
