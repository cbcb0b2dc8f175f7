"""repeated_deal, deal_on_two_tables: the same cards in the same order twice in a day."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pipeline.reconcile.session import open_session
from tests.support.checks import all_checks
from tests.support.chunks import make_round, player
from tests.support.night import run_night

BETS = [("ante", "10.00"), ("play", "10.00")]
SEATED = [player(*BETS), player(*BETS, player_id="p2", hand_id="H2")]
ANOTHER = "Kc 9d 4h"


def dealt(number: int, hand: str = "Qs Qd 5h", dealer: str | None = "Ad 7c 2s", table_id: str = "TCP-01", **fields: Any) -> Any:
    told = {"at": f"2026-11-03T15:{number:02}:00.000Z", "sequence": number, "round_id": f"{table_id}-{number}", **fields}
    return make_round(hand, dealer, BETS, table_id=table_id, **told)


def raised(check_id: str, *rounds: Any) -> list[tuple[str | None, str]]:
    """The round of each finding, and the innocent reason that it names, where it names one."""
    found = run_night(check_id, *rounds).findings
    assert set(found["severity"]) <= {"info"}
    return sorted((row["round_id"], re.search(r"(?:; ([^()]*))?\.$", row["message"])[1] or "") for row in found.to_dicts())  # type: ignore[index]


def test_a_deal_that_comes_again_at_its_table() -> None:
    found = run_night("repeated_deal", dealt(1), dealt(2, ANOTHER), dealt(3)).one
    assert (found["round_id"], found["severity"], found["source_line"]) == ("TCP-01-3", "info", 3)
    assert found["message"].startswith(
        "Every card of this round (Qs Qd 5h, Ad 7c 2s, the dealer's last) lay where it lay in round TCP-01-1 at 15:01:00.000Z:"
    )


def test_each_that_comes_again_at_a_table_is_told() -> None:
    again = [dealt(1), dealt(2, ANOTHER), dealt(3), dealt(4, ANOTHER)]
    assert raised("repeated_deal", *again) == [("TCP-01-3", ""), ("TCP-01-4", "")]


def test_a_voided_deal_that_comes_again_counts() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+38.000", "scope": "round"}
    assert raised("repeated_deal", dealt(1, status="voided", void=void), dealt(2)) == [("TCP-01-2", "")]


@pytest.mark.parametrize("other", [
    dealt(2, "Qd Qs 5h"),
    dealt(2, dealer="7c Ad 2s"),
    dealt(2, "Qs Qd 5h", None, dealer_hand=None),
    dealt(2, hands={"H1": "Qs Qd 5h", "H2": "3c 3h 9s"}, participants=SEATED),
    dealt(2, hands={"H1": "Qs Qd 5h", "H2": None}, participants=SEATED),
])  # fmt: skip
def test_another_order_or_another_hand_is_another_deal(other: Any) -> None:
    assert raised("repeated_deal", dealt(1), other) == []


def test_two_rounds_in_which_the_dealer_turns_nothing_are_not_compared() -> None:
    folded = [make_round("Qs Qd 5h", None, BETS[:1], round_id=f"r{n}", sequence=n, at=f"2026-11-03T15:0{n}:00.000Z") for n in (1, 2)]
    ran = run_night("repeated_deal", *folded)
    assert ran.findings.is_empty()
    assert ran.covered("repeated_deal")["not_examined"] == 2


def test_the_same_round_told_again_is_no_repeat() -> None:
    assert raised("repeated_deal", dealt(1), dealt(1, revision=2, dealer_id="D9")) == []


def test_the_readings_that_count_are_compared_where_there_are_any() -> None:
    first, second = dealt(1), dealt(2)
    second["hands"][0]["cards"] = ["5h", "Qd", "Qs"]
    assert raised("repeated_deal", first, second) == [("TCP-01-2", "")]


def test_a_deal_at_two_tables() -> None:
    ran = run_night("deal_on_two_tables", dealt(1), dealt(2, ANOTHER), dealt(9, table_id="TCP-02"))
    found = ran.one
    assert (found["table_id"], found["round_id"], found["severity"], found["source_line"]) == ("TCP-02", None, "info", 3)
    assert found["message"].startswith(
        "TCP-01, TCP-02 had 1 deal in common, card for card and in the same order: the first (Qs Qd 5h, Ad 7c 2s, the dealer's last) is"
        " round TCP-01-1 at TCP-01 (15:01:00.000Z) and round TCP-02-9 at TCP-02 (15:09:00.000Z)."
    )
    assert run_night("repeated_deal", dealt(1), dealt(9, table_id="TCP-02")).findings.is_empty()


def test_tables_that_share_more_than_one_deal_have_one_finding() -> None:
    played = [dealt(1), dealt(2, ANOTHER), dealt(8, table_id="TCP-02"), dealt(9, ANOTHER, table_id="TCP-02")]
    found = run_night("deal_on_two_tables", *played).one
    assert "had 2 deals in common" in found["message"]


def test_one_table_under_two_names_is_told_as_such() -> None:
    assert raised("deal_on_two_tables", dealt(1), dealt(1, table_id="TCP-02")) == [
        (None, "one dealer dealt it within a minute, as where one table goes out under two names")
    ]
    assert raised("deal_on_two_tables", dealt(1), dealt(1, table_id="TCP-02", dealer_id="D2")) == [(None, "")]


def test_a_scripted_deal_is_told_as_such() -> None:
    scripted = [dealt(n, table_id=f"TCP-0{n}") for n in range(1, 8)]
    found = run_night("deal_on_two_tables", *scripted).one
    assert found["message"].endswith("; at three tables or more it can be a scripted one.")
    assert found["message"].startswith("TCP-01, TCP-02, TCP-03, TCP-04, TCP-05 and 2 more tables had 1 deal in common")
    assert raised("repeated_deal", *scripted, dealt(8, table_id="TCP-03")) == [
        ("TCP-03-8", "7 tables have this deal, as with a scripted one")
    ]


def test_other_deals_at_two_tables_are_honest() -> None:
    assert raised("deal_on_two_tables", dealt(1), dealt(2, ANOTHER, table_id="TCP-02"), dealt(3, "Kd 9d 4h")) == []


@pytest.mark.parametrize(("times", "can_be"), [(1, True), (2, False)])
@pytest.mark.parametrize("check_id", ["repeated_deal", "deal_on_two_tables"])
def test_what_can_be_chance_is_told_as_such_where_it_comes_once(check_id: str, times: int, *, can_be: bool) -> None:
    con = open_session()
    con.execute(
        "CREATE TABLE repeated_deals AS SELECT 'deal ' || n AS deal, 'T' || m AS table_id, n || m AS round_id, 2 * n + m AS round_key,"
        " 'D' || m AS dealer_id, TIMESTAMPTZ '2026-11-03 15:00+00' AS dated_at, 'f' AS source_file, n AS source_line,"
        " ['T0', 'T1'] AS tables, true AS may_be_chance, true AS may_be_chance_elsewhere, {'round_id': 'r', 'dated_at': dated_at} AS before"
        " FROM range($times) AS deals (n), range(2) AS seats (m)",
        {"times": times},
    )
    check = next(check for check in all_checks().checks if check.check_id == check_id)
    assert set(con.execute(f"SELECT contains(message, 'chance') FROM ({check.sql})").fetchall()) == {(can_be,)}


@pytest.mark.parametrize(("tables", "rounds", "chance"), [(1, 9_000, (True, True)), (10, 900, (False, True)), (8, 1_000, (False, False))])
def test_what_a_studio_of_this_size_sees_by_chance(tables: int, rounds: int, chance: tuple[bool, bool]) -> None:
    con = open_session()
    con.execute(
        "CREATE TABLE current_rounds AS SELECT n AS round_key, 'T' || n % $tables AS table_id, 'r' || n AS round_id, 'D' AS dealer_id,"
        " TIMESTAMPTZ '2026-11-03 15:00+00' AS dated_at, 'f' AS source_file, n AS source_line FROM range($tables * $rounds) AS t (n)",
        {"tables": tables, "rounds": rounds},
    )
    con.execute(
        "CREATE TABLE whole_deals AS SELECT table_id, round_key, true AS has_cards, 1 AS hands,"
        " CASE WHEN round_key < 2 THEN 'twice' ELSE round_id END AS deal FROM current_rounds"
    )
    view = next(view for view in all_checks().views if view.name == "repeated_deals")
    assert set(con.execute(f"SELECT may_be_chance, may_be_chance_elsewhere FROM ({view.sql})").fetchall()) == {chance}


def test_rounds_that_name_no_table_are_not_held_against_each_other() -> None:
    nameless = [dealt(2, table_id=None), dealt(3, table_id=None)]  # type: ignore[arg-type]
    assert raised("repeated_deal", *nameless) == []
    assert raised("deal_on_two_tables", *nameless) == []
