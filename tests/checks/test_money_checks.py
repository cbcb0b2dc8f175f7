from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from pipeline.settle.agreement import compare
from tests.support.checks import Ran, engine_rows, run_checks
from tests.support.chunks import make_chunk, make_round, player
from tests.support.filings import filing, make_filed

MONEY = (
    "void_paid_as_settled", "void_not_refunded", "paid_on_open_round", "pair_plus_paid_after_fold", "paid_after_fold", "unsettled_wager",
    "payout_mismatch", "bonus_split_mismatch", "engine_disagreement", "paid_without_stake",
)  # fmt: skip


def judge(kind: str, stake: str = "10.00", paid: str | None = None, bonus_paid: str | None = None, /, **told: Any) -> Ran:
    """One wager of player p1 in the money checks, with what an engine would say of it."""
    fields = {name: told.pop(name) for name in ("status", "funding") if name in told}
    play_mode = told.pop("play_mode", "real")
    chunk = make_chunk(
        make_round(
            participants=[player({"kind": kind, "stake": stake, "paid": paid, "bonus_paid": bonus_paid, **fields}, play_mode=play_mode)]
        )
    )
    return run_checks(chunk, make_filed(filing()), MONEY, engine=engine_rows(chunk, {}, **told))


VOID = {"settlement": "voided", "outcome": "void", "rule": "void"}
FORFEIT = {"outcome": "forfeit", "expected": "0.00"}
OPEN = {"settlement": "pending", "settlement_reason": "open", "expected": None, "expected_bonus": None}
DOUBTFUL = {"settlement": "unsettleable", "settlement_reason": "duplicate_card", "expected": None, "expected_bonus": None}
REFUSED = {"settlement": "not_accepted", "settlement_reason": "rejected", "expected": None, "expected_bonus": None}
REVERSED = REFUSED | {"settlement_reason": "cancelled"}


@pytest.mark.parametrize(
    ("check", "ran"),
    [
        ("void_paid_as_settled", lambda: judge("ante", "10.00", "20.00", **VOID, expected="10.00")),
        ("void_paid_as_settled", lambda: judge("ante", "10.00", "10.00", "5.00", **VOID, expected="10.00")),
        ("void_paid_as_settled", lambda: judge("ante", "10.00", "10.00", status="cancelled", **VOID, expected="10.00")),
        ("void_paid_as_settled", lambda: judge("pair_plus", "10.00", "10.00", funding="free", **VOID, expected="0.00")),
        ("void_not_refunded", lambda: judge("ante", "10.00", "9.99", **VOID, expected="10.00")),
        ("void_not_refunded", lambda: judge("ante", "10.00", None, **VOID, expected="10.00")),
        ("paid_on_open_round", lambda: judge("ante", "10.00", "0.01", **OPEN)),
        ("pair_plus_paid_after_fold", lambda: judge("pair_plus", "10.00", "20.00", **FORFEIT)),
        ("paid_after_fold", lambda: judge("ante", "10.00", "10.00", **FORFEIT)),
        ("paid_after_fold", lambda: judge("ante", "10.00", "0.00", "5.00", **FORFEIT)),
        ("paid_after_fold", lambda: judge("player_bonus", "10.00", "20.00", **FORFEIT)),
        ("unsettled_wager", lambda: judge("pair_plus", "10.00", None, outcome="win", expected="20.00")),
        ("payout_mismatch", lambda: judge("pair_plus", "10.00", "20.000001", outcome="win", expected="20.00")),
        ("payout_mismatch", lambda: judge("pair_plus", "10.00", "0.00", outcome="win", expected="20.00")),
        ("payout_mismatch", lambda: judge("ante", "10.00", None, "5.00", outcome="win", expected="20.00", expected_bonus="5.00")),
        ("bonus_split_mismatch", lambda: judge("ante", "10.00", "25.00", "0.00", outcome="win", expected="20.00", expected_bonus="5.00")),
        ("bonus_split_mismatch", lambda: judge("pair_plus", "10.00", "15.00", "5.00", outcome="win", expected="20.00")),
        ("paid_without_stake", lambda: judge("ante", "10.00", "20.00", status="rejected", **REFUSED)),
        ("paid_without_stake", lambda: judge("ante", "10.00", None, "5.00", status="cancelled", **REVERSED)),
    ],
)  # fmt: skip
def test_each_fault_is_raised_once_by_its_own_name(check: str, ran: Any) -> None:
    assert ran().one["check_id"] == check


def test_a_bonus_alone_is_handed_back_without_a_stake() -> None:
    told = judge("ante", "10.00", None, "5.00", status="cancelled", **REVERSED).one["message"]
    assert told.startswith("Ante handed back 5.00 USD")


@pytest.mark.parametrize(
    "ran",
    [
        lambda: judge("ante", "10.00", "10.00", **VOID, expected="10.00"),
        lambda: judge("ante", "10.00", "4.00", "6.00", **VOID, expected="10.00"),
        lambda: judge("ante", "10.00", "0.00", status="cancelled", **VOID, expected="0.00"),
        lambda: judge("ante", "10.00", None, status="cancelled", **VOID, expected="0.00"),
        lambda: judge("pair_plus", "10.00", "0.00", funding="free", **VOID, expected="0.00"),
        lambda: judge("ante", "10.00", "0.00", **OPEN),
        lambda: judge("ante", "10.00", None, **OPEN),
        lambda: judge("pair_plus", "10.00", "0.00", **FORFEIT),
        lambda: judge("ante", "10.00", None, **FORFEIT),
        lambda: judge("pair_plus", "10.00", None, outcome="lose", expected="0.00"),
        lambda: judge("pair_plus", "10.00", "20.00", outcome="win", expected="20.00"),
        lambda: judge("ante", "10.00", "25.00", None, outcome="win", expected="20.00", expected_bonus="5.00"),
        lambda: judge("ante", "10.00", "20.00", "5.00", outcome="win", expected="20.00", expected_bonus="5.00"),
        lambda: judge("ante", "10.00", "99.00", **DOUBTFUL),
        lambda: judge("ante", "10.00", "0.00", status="rejected", **REFUSED),
        lambda: judge("ante", "10.00", None, status="rejected", **REFUSED),
    ],
)  # fmt: skip
def test_money_that_is_right_or_cannot_be_judged_is_silent(ran: Any) -> None:
    assert ran().raised == []


def test_a_payment_on_a_stake_of_zero_stands_beside_the_mismatch_and_is_counted_once() -> None:
    found = judge("pair_plus", "0.00", "5.00", outcome="lose").findings.sort("check_id")
    assert found["check_id"].to_list() == ["paid_without_stake", "payout_mismatch"]
    assert found["delta"].to_list() == [None, Decimal(5)]


def test_deltas_of_findings_sum_to_those_of_settlements_of_real_settled_and_voided_wagers() -> None:
    chunk = make_chunk(
        make_round(
            participants=[
                player(("ante", "10.00", "30.00", "1.00"), ("play", "10.00", None), player_id="a"),
                player(("ante", "10.00", "77.00"), player_id="b", play_mode="test"),
                player({"kind": "ante", "stake": "10.00", "paid": "8.00", "status": "rejected"}, player_id="c"),
                player(("ante", "10.00", "3.00"), player_id="d"),
            ]
        )
    )
    told = {
        "r1-a-ante": {"expected": "20.00"},
        "r1-a-play": {"expected": "20.00"},
        "r1-b-ante": {"expected": "20.00"},
        "r1-c-ante": REFUSED,
        "r1-d-ante": OPEN,
    }
    ran = run_checks(chunk, make_filed(filing()), MONEY, engine=engine_rows(chunk, told))
    counted = ran.settlements.filter((ran.settlements["play_mode"] == "real") & ran.settlements["settlement"].is_in(["settled", "voided"]))
    assert ran.findings.height == 5
    assert ran.findings["delta"].sum() == counted["delta"].sum() == Decimal(-9)


def test_a_test_participants_finding_is_info_and_in_no_total() -> None:
    found = judge("pair_plus", "10.00", "30.00", outcome="win", expected="20.00", play_mode="test").one
    assert (found["check_id"], found["severity"], found["delta"]) == ("payout_mismatch", "info", None)
    assert (found["expected"], found["paid"]) == (Decimal(20), Decimal(30))


def test_disagreeing_engines_are_told_with_what_each_says() -> None:
    chunk = make_chunk(make_round(wagers=[("pair_plus", "10.00", "20.00")]))
    one = engine_rows(chunk, {}, outcome="win", line="pair", expected="20.00")
    other = engine_rows(chunk, {}, outcome="lose", hand_category="flush")
    agreed = engine_rows(chunk, {}, settlement="unsettleable", settlement_reason="engine_disagreement", expected=None)

    found = run_checks(chunk, make_filed(filing()), MONEY, engine=agreed, disagreeing=compare(one, other)).one
    assert found["check_id"] == "engine_disagreement"
    said = "expected 20.000000 against 0.000000, hand category nothing against flush, line pair against nothing, outcome win against lose"
    assert said in found["message"]
    assert (found["expected"], found["delta"]) == (None, None)


def test_the_sentence_says_what_happened_what_was_due_and_by_which_rule() -> None:
    found = judge("pair_plus", "14.00", "28.00", **FORFEIT, rule="pair_plus.forfeited_by_fold").one
    assert found["message"] == (
        "Pair Plus handed back 28.00 USD after player p1 folded; filing keystone-tcp-2026 forfeits it "
        "(pair_plus.forfeited_by_fold; cf. 58 Pa. Code § 649a.11(b)(1)): 0.00 USD was due."
    )
    assert found["citation"] == "filing keystone-tcp-2026, pair_plus.forfeited_by_fold; cf. 58 Pa. Code § 649a.11(b)(1)"


def test_a_wrong_bonus_cites_the_bonus_and_a_wrong_ante_the_ante() -> None:
    told = {"outcome": "win", "expected": "20.00", "expected_bonus": "10.00", "line": "straight", "odds": "1 to 1", "rule": "wagers.ante"}
    bonus = judge("ante", "10.00", "20.00", "0.00", **told).one
    ante = judge("ante", "10.00", "10.00", "10.00", **told).one
    assert "ante_bonus.odds.straight" in bonus["citation"]
    assert "wagers.ante" in ante["citation"]


def test_amounts_near_the_largest_are_added_exactly() -> None:
    found = judge("ante", "1.00", "999999999999.999999", "999999999999.999999", outcome="win", expected="2.00", expected_bonus="0.00").one
    assert found["paid"] == Decimal("1999999999999.999998")
    assert found["delta"] == Decimal("1999999999997.999998")
