"""The aggregate payout limit: whose winnings count together, and how a cut is spread."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.filings import ANTE_BONUS, PAIR_PLUS, filing
from tests.support.settled import DEALER_ACE, PAIR, STRAIGHT, due, settled, settled_one

LAST_FIRST = {"amount": "20.00", "currency": "USD", "per": "player_round", "cut": "last_first"}
PRO_RATA = LAST_FIRST | {"cut": "pro_rata"}


def capped(cap: dict[str, Any], *wagers: Any, hand: str = PAIR, **fields: Any) -> dict[str, tuple[str | None, str | None]]:
    got = settled_one(*wagers, player=hand, dealer=DEALER_ACE, under=[filing(cap=cap)], **fields)
    return {kind: due(row) for kind, row in got.items()}


def test_winnings_within_the_limit_are_left_alone() -> None:
    got = settled_one(("ante", "10.00"), ("play", "10.00"), player=PAIR, dealer=DEALER_ACE, under=[filing(cap=LAST_FIRST)])
    assert (due(got["ante"]), due(got["play"]), got["play"]["rule"]) == (("20", "0"), ("20", None), "wagers.play")


def test_last_first_takes_from_the_last_wager_on() -> None:
    got = settled_one(
        ("ante", "10.00"),
        ("pair_plus", "8.00"),
        ("play", "10.00"),
        player=PAIR,
        dealer=DEALER_ACE,
        under=[filing(cap=LAST_FIRST | {"amount": "12.00"})],
    )
    assert {kind: due(row)[0] for kind, row in got.items()} == {"ante": "20", "pair_plus": "10", "play": "10"}
    assert [got[kind]["rule"] for kind in ("ante", "pair_plus", "play")] == [
        "wagers.ante",
        "aggregate_payout_limit",
        "aggregate_payout_limit",
    ]
    assert got["play"]["outcome"] == "win"


def test_a_cut_is_taken_from_the_ante_before_its_bonus() -> None:
    assert capped(LAST_FIRST | {"amount": "15.00"}, ("ante", "10.00"), hand=STRAIGHT, participants=None)["ante"] == ("0", "0")
    wagers = (("ante", "10.00"), ("play", "0.01"))
    assert capped(LAST_FIRST | {"amount": "15.00"}, *wagers, hand=STRAIGHT) == {"ante": ("15", "10"), "play": ("0.01", None)}
    assert capped(LAST_FIRST | {"amount": "0.00"}, *wagers, hand=STRAIGHT) == {"ante": ("0", "10"), "play": ("0.01", None)}


def test_a_cut_beyond_what_the_ante_hands_back_is_taken_from_the_bonus() -> None:
    got = capped(LAST_FIRST | {"amount": "4.00"}, ("ante", "10.00"), ("play", "10.00"), hand="6h 7h 8h")
    assert got == {"ante": ("0", "14"), "play": ("10", None)}


def test_pro_rata_leaves_each_its_share() -> None:
    wagers = (("ante", "10.00"), ("pair_plus", "30.00"), ("play", "10.00"))
    assert capped(PRO_RATA, *wagers) == {"ante": ("14", "0"), "pair_plus": ("42", None), "play": ("14", None)}


def test_pro_rata_gives_left_over_minor_units_to_the_largest_remainders_then_the_earlier() -> None:
    wagers = (("ante", "10.00"), ("pair_plus", "10.00"), ("play", "10.00"))
    assert capped(PRO_RATA | {"amount": "10.00"}, *wagers) == {
        "ante": ("13.34", "0"),
        "pair_plus": ("13.33", None),
        "play": ("13.33", None),
    }
    uneven = (("ante", "1.00"), ("pair_plus", "2.00"), ("play", "1.00"))
    assert capped(PRO_RATA | {"amount": "0.33"}, *uneven) == {"ante": ("1.08", "0"), "pair_plus": ("2.17", None), "play": ("1.08", None)}


def test_pro_rata_gives_nobody_more_than_they_won() -> None:
    wagers = (("ante", "0.005"), ("play", "0.005"), ("pair_plus", "10.00"))
    got = capped(PRO_RATA | {"amount": "10.005"}, *wagers)
    assert all(float(got[kind][0] or 0) <= stake * 2 for kind, stake in (("ante", 0.005), ("play", 0.005), ("pair_plus", 10)))


def test_pro_rata_is_exact_where_a_product_would_pass_128_bits() -> None:
    under = [
        filing(
            cap=PRO_RATA | {"amount": "10000000000000000"},
            wagers={"pair_plus": {"odds": {"pair": "20000 to 1"}, "forfeited_by_fold": True}},
        )
    ]
    people = [
        player(bet("pair_plus", "999999999999.99", wager_id=name), bet("pair_plus", "999999999999.99", wager_id=f"{name}2")) for name in "a"
    ]
    got = settled(make_round(participants=people), under=under)
    assert [due(got[name])[0] for name in ("a", "a2")] == ["5000999999999999.99", "5000999999999999.99"]


@pytest.mark.parametrize(
    ("per", "left"),
    [("player_round", ["30", "10", "30", "30"]), ("hand", ["30", "10", "10", "30"]), ("round", ["30", "10", "10", "10"])],
)
def test_winnings_count_together_per_player_hand_or_round(per: str, left: list[str]) -> None:
    people = [
        player(bet("pair_plus", "10.00", wager_id="a1"), bet("pair_plus", "10.00", wager_id="a2"), player_id="a", hand_id="H1"),
        player(bet("pair_plus", "10.00", wager_id="b"), player_id="b", hand_id="H1"),
        player(bet("pair_plus", "10.00", wager_id="c"), player_id="c", hand_id="H2"),
        player(bet("pair_plus", "10.00", wager_id="test"), player_id="d", hand_id="H2", play_mode="test"),
    ]
    cap = {"amount": "20.00", "currency": "USD", "per": per, "cut": "last_first"}
    odds = {"pair_plus": {**PAIR_PLUS, "odds": {"pair": "2 to 1"}}}
    got = settled(make_round(participants=people, hands={"H1": PAIR, "H2": "9s 9c 4h"}), under=[filing(cap=cap, wagers=odds)])
    assert [due(got[name])[0] for name in ("a1", "a2", "b", "c")] == left
    assert due(got["test"])[0] == "30"


def test_only_the_filed_kinds_and_currency_count() -> None:
    wagers = (("ante", "100.00"), ("play", "100.00"), ("pair_plus", "30.00"))
    assert capped(LAST_FIRST | {"kinds": ["pair_plus"]}, *wagers) == {
        "ante": ("200", "0"),
        "play": ("200", None),
        "pair_plus": ("50", None),
    }
    euros = [player(*wagers, currency="EUR")]
    assert capped(LAST_FIRST, participants=euros)["ante"] == ("200", "0")


@pytest.mark.parametrize(
    ("kinds", "ante"), [(["ante_bonus"], ("20", "4")), (["ante", "ante_bonus"], ("4", "10")), (["play"], ("20", "10"))]
)
def test_the_ante_bonus_alone_counts_where_it_is_named_without_the_ante(kinds: list[str], ante: tuple[str, str]) -> None:
    cap = LAST_FIRST | {"amount": "4.00", "kinds": kinds}
    assert capped(cap, ("ante", "10.00"), ("play", "1.00"), hand=STRAIGHT)["ante"] == ante


def test_a_free_wager_wins_all_that_it_hands_back() -> None:
    free = bet("pair_plus", "30.00", funding="free")
    assert capped(LAST_FIRST, free) == {"pair_plus": ("20", None)}


def test_a_voided_stake_is_no_winning() -> None:
    got = capped(LAST_FIRST, ("pair_plus", "30.00"), status="voided")
    assert got == {"pair_plus": ("30", None)}


def test_two_rounds_of_one_player_are_apart() -> None:
    rounds = [make_round(wagers=[("pair_plus", "20.00")], player=PAIR, round_id=name) for name in ("r1", "r2")]
    got = settled(*rounds, under=[filing(cap=LAST_FIRST, wagers={"ante_bonus": ANTE_BONUS})])
    assert [due(row)[0] for row in got.values()] == ["40", "40"]


def test_yen_are_cut_to_whole_yen() -> None:
    people = [player(("ante", "100"), ("play", "100"), ("pair_plus", "100"), currency="JPY")]
    cap = {"amount": "100", "currency": "JPY", "per": "player_round", "cut": "pro_rata"}
    assert capped(cap, participants=people) == {"ante": ("134", "0"), "play": ("133", None), "pair_plus": ("133", None)}
