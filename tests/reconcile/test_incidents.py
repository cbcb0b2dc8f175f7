"""From one wrong payment to many: where a rule was broken throughout, and what bounds it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chunks import Row, make_round, player
from tests.support.diagnosed import incidents_of

STRAIGHT, PAIR = "6c 7d 8h", "Qs Qd 5h"
RIGHT, MISSED = "35.00", "0.00"


def told(number: int, paid: str, **fields: Any) -> Row:
    """Round number ``number`` of the day, a minute each: a Pair Plus wager on a straight, paid so, beside an ante that won."""
    clock = {"sequence": number, "at": f"2026-11-03T{15 + number // 60}:{number % 60:02}:00.000Z"}
    wagers = [("ante", "10.00", "30.00"), ("play", "10.00", "20.00"), ("pair_plus", "5.00", paid)]
    people = {"participants": [player(*wagers, player_id=f"p{number % 4}", operator_id=fields.pop("operator_id", "op-1"))]}
    return make_round(player=STRAIGHT, dealer="Ad Ac 3s", round_id=f"r{number:02}", **{**clock, **people, **fields})


def one_incident(*rounds: Row) -> dict[str, Any]:
    findings, incidents = incidents_of(*rounds)
    (row,) = incidents.filter(extent="systematic").to_dicts()
    assert set(findings["incident_id"]) == set(incidents["incident_id"])
    return dict(row)


def test_a_run_of_misses_is_systematic_with_its_bounds_players_and_money() -> None:
    row = one_incident(*(told(number, MISSED if 10 <= number < 18 else RIGHT) for number in range(30)))
    assert (row["root_cause"], row["kind"], row["hits"], row["opportunities"]) == ("straight_missed", "pair_plus", 8, 8)
    assert (row["first_round_id"], row["last_round_id"], row["players"]) == ("r10", "r17", 4)
    assert [tuple(map(str, money.values())) for money in row["money"]] == [("USD", "8", "4", "0.000000", "280.000000")]
    assert row["message"].startswith(
        "systematic: 8 of 8 opportunities on TCP-01 from 2026-11-03 15:10:00 to 15:17:00 UTC, Pair Plus: no straight is seen, "
        "280.00 USD underpaid to 4 players."
    )


def test_a_right_payment_within_the_run_is_counted_against_it() -> None:
    row = one_incident(*(told(number, MISSED if 10 <= number < 18 and number != 14 else RIGHT) for number in range(30)))
    assert (row["hits"], row["opportunities"], row["first_round_id"], row["last_round_id"]) == (7, 8, "r10", "r17")


@pytest.mark.parametrize(("field", "name"), [("dealer_id", "dealer"), ("software_version", "software")])
def test_the_change_that_bounds_it_is_named(field: str, name: str) -> None:
    rounds = [told(number, MISSED if 10 <= number < 18 else RIGHT, **{field: "B" if 10 <= number < 18 else "A"}) for number in range(30)]
    row = one_incident(*rounds)
    assert (row["began_with"], row["ended_with"]) == (f"{name} B after A", f"{name} A after B")
    assert f"It began with {name} B after A. It ended with {name} A after B." in row["message"]


def test_a_change_that_came_later_does_not_bound_it() -> None:
    row = one_incident(*(told(number, MISSED if 10 <= number < 18 else RIGHT, dealer_id="AB"[number >= 13]) for number in range(30)))
    assert (row["began_with"], row["ended_with"]) == (None, None)


@pytest.mark.parametrize(("field", "struck"), [("operator_id", "operator"), ("dealer_id", "dealer"), ("deck_id", "deck")])
def test_whom_a_rule_struck_alone_is_named_where_the_others_were_paid_rightly(field: str, struck: str) -> None:
    row = one_incident(*(told(number, MISSED if number % 2 else RIGHT, **{field: f"X{number % 2}"}) for number in range(20)))
    assert (row["struck"], row["struck_id"], row["hits"], row["opportunities"]) == (struck, "X1", 10, 10)


def test_what_comes_and_goes_by_chance_is_isolated() -> None:
    _, incidents = incidents_of(*(told(number, MISSED if number in {3, 4, 11, 19, 26} else RIGHT) for number in range(30)))
    (row,) = incidents.to_dicts()
    assert (row["extent"], row["hits"], row["opportunities"]) == ("isolated", 5, 30)
    assert row["message"].startswith("isolated: 5 of 30 opportunities on TCP-01 from 2026-11-03 15:03:00 to 15:26:00 UTC, ")


def test_two_runs_of_one_rule_are_two_incidents() -> None:
    _, incidents = incidents_of(*(told(number, MISSED if number // 8 in {1, 4} else RIGHT) for number in range(50)))
    bounds = incidents.select("extent", "first_round_id", "last_round_id").rows()
    assert bounds == [("systematic", "r08", "r15"), ("systematic", "r32", "r39")]
    assert incidents["incident_id"].n_unique() == 2


def test_causes_that_the_wagers_cannot_tell_apart_are_both_named() -> None:
    row = one_incident(*(told(number, MISSED if 10 <= number < 18 else RIGHT) for number in range(30)))
    assert "win_pays_nothing" in row["also_explained_by"]
    pairs = [make_round(player=PAIR, wagers=[("pair_plus", "5.00", "10.00")], round_id="r13b", at="2026-11-03T15:13:30.000Z")]
    told_apart = one_incident(*(told(number, MISSED if 10 <= number < 18 else RIGHT) for number in range(30)), *pairs)
    assert told_apart["root_cause"] == "straight_missed"
    assert "win_pays_nothing" not in (told_apart["also_explained_by"] or [])


def test_what_nothing_reproduces_stands_in_an_incident_too() -> None:
    _, incidents = incidents_of(told(1, "9.99"), told(2, "8.88"))
    (row,) = incidents.to_dicts()
    assert (row["extent"], row["root_cause"], row["hits"], row["opportunities"]) == ("unexplained", "unexplained", 2, None)
    assert row["message"].startswith(
        "unexplained: 2 findings on TCP-01 from 2026-11-03 15:01:00 to 15:02:00 UTC, Pair Plus: no known fault reproduces"
    )


def test_what_was_not_diagnosed_stands_apart_from_what_nothing_reproduces() -> None:
    unpaid = make_round(player=STRAIGHT, wagers=[("pair_plus", "5.00", None)], round_id="r02", at="2026-11-03T15:02:00.000Z")
    findings, incidents = incidents_of(told(1, "9.99"), unpaid)
    assert findings["incident_id"].n_unique() == 2
    messages = sorted(incidents["message"])
    assert messages[0].startswith(
        "not diagnosed: 1 finding on TCP-01 at 2026-11-03 15:02:00 UTC, Pair Plus: nothing is recorded as paid, 35.00 USD"
    )
    assert messages[1].startswith(
        "unexplained: 1 finding on TCP-01 at 2026-11-03 15:01:00 UTC, Pair Plus: no known fault reproduces what was paid"
    )


def test_test_players_stand_in_no_incident() -> None:
    wagers = [("pair_plus", "5.00", MISSED)]
    rehearsal = make_round(player=STRAIGHT, participants=[player(*wagers, play_mode="test")])
    findings, incidents = incidents_of(rehearsal)
    assert findings["incident_id"].to_list() == [None]
    assert incidents.is_empty()


def test_amounts_of_two_currencies_stand_apart() -> None:
    people = [player(("pair_plus", "5.00", MISSED), player_id=f"p-{currency}", currency=currency) for currency in ("USD", "EUR")]
    _, incidents = incidents_of(make_round(player=STRAIGHT, participants=people), under=None)
    (row,) = incidents.to_dicts()
    assert [(money["currency"], money["players"]) for money in row["money"]] == [("EUR", 1), ("USD", 1)]


def test_amounts_in_one_wrong_unit_and_another_are_one_incident() -> None:
    """Ten times too much, a hundred times too much, a hundredth of it: one fault, whatever it makes of each wager."""
    wrong = ("350.00", "3500.00", "0.35")
    row = one_incident(*(told(number, wrong[number % 3] if 10 <= number < 18 else RIGHT) for number in range(30)))
    assert (row["root_cause"], row["hits"], row["opportunities"]) == ("wrong_minor_unit", 8, 8)
    assert (row["first_round_id"], row["last_round_id"]) == ("r10", "r17")
