"""The wallet checks: each fires on the smallest case, and stays silent on the nearest honest one (wallet-ledger/1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tests.support.checks import run_checks
from tests.support.chunks import make_chunk, make_round, player
from tests.support.filings import filing, make_filed
from tests.support.ledger import CHECKS, cancel, credit, debit, entry, judge, lines

Row = dict[str, Any]

WON = make_round(wagers=[("ante", "10.00", "20.00")])
LOST = make_round(wagers=[("ante", "10.00", "0.00")])
TWO = make_round(wagers=[("ante", "10.00", "20.00"), ("pair_plus", "5.00", "10.00")])
ANTE, PAIR = "r1-p1-ante", "r1-p1-pair_plus"


def found(told: Row | list[Row], *entries: Row, **options: Any) -> list[tuple[str, str, str]]:
    """Check, player and currency of each finding."""
    return sorted(judge(told, *entries, **options).findings.select("check_id", "player_id", "currency").rows())


def fault(check_id: str, player_id: str = "p1", currency: str = "USD") -> list[tuple[str, str, str]]:
    return [(check_id, player_id, currency)]


HONEST: dict[str, tuple[Row, tuple[Row, ...]]] = {
    "a debit and a credit": (WON, (debit("10.00"), credit("20.00"))),
    "one credit for many debits": (TWO, (debit("10.00", wager=ANTE), debit("5.00", wager=PAIR), credit("30.00"))),
    "one credit for many debits that names one of them": (TWO, (debit("10.00"), debit("5.00"), credit("30.00", wager=ANTE))),
    "one debit for two wagers": (TWO, (debit("15.00"), credit("30.00"))),
    "a zero credit that closes a losing round": (LOST, (debit("10.00"), credit("0.00"))),
    "a losing round that nothing closes": (LOST, (debit("10.00"),)),
    "a credit split over fund types in equal parts": (WON, (debit("10.00"), credit("10.00", txn_id="a"), credit("10.00", txn_id="b"))),
    "a retried id with the same content": (WON, (debit("10.00"), debit("10.00"), credit("20.00"), credit("20.00"))),
    "a rejected entry": (WON, (debit("10.00"), debit("10.00", txn_id="again", status="rejected"), credit("20.00"))),
    "an id that was rejected first and accepted then": (WON, (debit("10.00", status="rejected", at=3.0), debit("10.00"), credit("20.00"))),
    "a late credit within the grace": (WON, (debit("10.00"), credit("20.00", at=41 + 4 * 3600))),
    "a zero credit past the grace": (LOST, (debit("10.00"), credit("0.00", at=42 + 4 * 3600))),
    "an adjustment that remedies a finding": (WON, (debit("10.00"), credit("20.00"), entry("adjustment", "5.00", 90, ref_finding="f"))),
    "an adjustment in place of a credit": (WON, (debit("10.00"), entry("adjustment", "20.00", 90))),
    "a cancelled wager, debited and cancelled": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]), (debit("10.00"), cancel("10.00")),
    ),
    "a cancelled wager that never was debited": (make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]), ()),
    "a cancel before its debit": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]), (cancel("10.00", at=2.0), debit("10.00")),
    ),
    "a cancel of one of two debits": (
        make_round(wagers=[("ante", "10.00", "20.00"), {"kind": "pair_plus", "stake": "5.00", "status": "cancelled"}]),
        (debit("10.00"), debit("5.00"), cancel("5.00"), credit("20.00")),
    ),
    "a cancelled wager that a credit gives back": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]), (debit("10.00"), credit("10.00")),
    ),
    "a cancel under an id of its own": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]),
        (debit("10.00"), cancel("10.00", txn_id="c1", ref_id="debit-10.00")),
    ),
    "a void paid back by a credit": (
        make_round(wagers=[("ante", "10.00", "10.00")], status="voided", void={"scope": "round", "at": "+50.000"}),
        (debit("10.00"), credit("10.00")),
    ),
    "a void paid back by a cancel": (
        make_round(wagers=[("ante", "10.00", "10.00")], status="voided", void={"scope": "round", "at": "+50.000"}),
        (debit("10.00"), cancel("10.00")),
    ),
    "a rejected wager": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "rejected"}]), (debit("10.00", status="rejected"),),
    ),
    "a rejected debit that is cancelled": (
        make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "rejected"}]),
        (debit("10.00", status="rejected"), cancel("10.00")),
    ),
    "a free wager": (make_round(wagers=[{"kind": "ante", "stake": "10.00", "paid": "10.00", "funding": "free"}]), (credit("10.00"),)),
    "an open round with its debit": (make_round(wagers=[("ante", "10.00")], status="open", posted_at=None), (debit("10.00"),)),
    "two sessions of one player": (
        make_round(
            participants=[
                player({"kind": "ante", "stake": "10.00", "paid": "20.00", "wager_id": "a"}, session_id="s1"),
                player({"kind": "ante", "stake": "5.00", "paid": "0.00", "wager_id": "b"}, session_id="s2"),
            ]
        ),
        (debit("10.00"), debit("5.00"), credit("20.00")),
    ),
    "a debit of an unknown player that was taken back": (
        LOST, (debit("10.00"), debit("7.00", player_id="p9"), cancel("7.00", player_id="p9")),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("told", "entries"), HONEST.values(), ids=HONEST)
def test_honest_books_raise_nothing(told: Row, entries: tuple[Row, ...]) -> None:
    assert found(told, *entries) == []


FAULTY: dict[str, tuple[str, Row, tuple[Row, ...]]] = {
    "a credit under two ids": ("wallet_duplicate", WON, (debit("10.00"), credit("20.00"), credit("20.00", txn_id="again"))),
    "a debit under two ids": ("wallet_duplicate", WON, (debit("10.00"), debit("10.00", txn_id="again"), credit("20.00"))),
    "a credit three times": ("wallet_duplicate", WON, (debit("10.00"), *(credit("20.00", txn_id=f"c{n}") for n in range(3)))),
    "one id for two amounts": ("wallet_duplicate", TWO, (debit("15.00"), credit("20.00", txn_id="c"), credit("10.00", txn_id="c"))),
    "one id at two times": ("wallet_duplicate", WON, (debit("10.00"), credit("20.00"), credit("20.00", at=43.0))),
    "a stake cancelled and paid on": ("wallet_credit_and_cancel", WON, (debit("10.00"), cancel("10.00"), credit("20.00"))),
    "a cancelled wager given back twice": (
        "wallet_credit_and_cancel", make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]),
        (debit("10.00"), cancel("10.00"), credit("10.00")),
    ),
    "no debit at all": ("wallet_missing_debit", WON, (credit("20.00"),)),
    "no debit and no credit of a push": ("wallet_missing_debit", make_round(wagers=[("ante", "10.00", "10.00")]), ()),
    "no debit of one named wager": ("wallet_missing_debit", TWO, (debit("10.00", wager=ANTE), credit("30.00"))),
    "no debit of one wager, none named": ("wallet_missing_debit", TWO, (debit("10.00"), credit("30.00"))),
    "a rejected debit of an accepted wager": ("wallet_missing_debit", WON, (debit("10.00", status="rejected"), credit("20.00"))),
    "a cancel whose debit is gone": (
        "wallet_missing_debit",
        make_round(wagers=[("ante", "10.00", "20.00"), {"kind": "pair_plus", "stake": "5.00", "status": "cancelled"}]),
        (debit("10.00"), cancel("5.00"), credit("20.00")),
    ),
    "no credit": ("wallet_missing_credit", WON, (debit("10.00"),)),
    "a zero credit of a win": ("wallet_missing_credit", WON, (debit("10.00"), credit("0.00"))),
    "a rejected credit": ("wallet_missing_credit", WON, (debit("10.00"), credit("20.00", status="rejected"))),
    "no credit of one named wager": ("wallet_missing_credit", TWO, (debit("15.00"), credit("20.00", wager=ANTE))),
    "a void paid back in part": (
        "wallet_amount_mismatch",
        make_round(wagers=[("ante", "10.00", "10.00")], status="voided", void={"scope": "round", "at": "+50.000"}),
        (debit("10.00"), credit("9.00")),
    ),
    "a void paid back twice": (
        "wallet_duplicate",
        make_round(wagers=[("ante", "10.00", "10.00")], status="voided", void={"scope": "round", "at": "+50.000"}),
        (debit("10.00"), credit("10.00", txn_id="c1"), credit("10.00", txn_id="c2")),
    ),
    "a credit a cent short": ("wallet_amount_mismatch", WON, (debit("10.00"), credit("19.99"))),
    "a credit a millionth over": ("wallet_amount_mismatch", WON, (debit("10.00"), credit("20.000001"))),
    "a debit a cent over": ("wallet_amount_mismatch", WON, (debit("10.01"), credit("20.00"))),
    "off by the same on either side": ("wallet_amount_mismatch", WON, (debit("9.00"), credit("19.00"))),
    "a cancel a cent short": (
        "wallet_amount_mismatch", make_round(wagers=[{"kind": "ante", "stake": "10.00", "status": "cancelled"}]),
        (debit("10.00"), cancel("9.99", txn_id="debit-10.00")),
    ),
    "a credit past the grace": ("wallet_late_credit", WON, (debit("10.00"), credit("20.00", at=41.001 + 4 * 3600))),
    "a free wager that was debited": (
        "wallet_amount_mismatch", make_round(wagers=[{"kind": "ante", "stake": "10.00", "paid": "10.00", "funding": "free"}]),
        (debit("10.00"), credit("10.00")),
    ),
    "a payment that the round does not report": (
        "wallet_amount_mismatch", make_round(wagers=[("ante", "10.00")], status="open"), (debit("10.00"), credit("20.00")),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("check_id", "told", "entries"), FAULTY.values(), ids=FAULTY)
def test_each_fault_is_found_once_and_as_the_first_that_holds(check_id: str, told: Row, entries: tuple[Row, ...]) -> None:
    assert found(told, *entries) == fault(check_id)


def test_a_credit_in_another_currency_is_named_in_both() -> None:
    assert found(WON, debit("10.00"), credit("20.00", currency="CHF")) == [
        *fault("wallet_currency_mismatch", currency="CHF"), *fault("wallet_currency_mismatch"),
    ]  # fmt: skip


def test_a_refund_in_another_currency_is_named_in_both() -> None:
    told = make_round(wagers=[("ante", "10.00", "10.00")], status="voided", void={"scope": "round", "at": "+50.000"})
    assert found(told, debit("10.00"), credit("10.00", currency="CHF")) == [
        *fault("wallet_currency_mismatch", currency="CHF"), *fault("wallet_currency_mismatch"),
    ]  # fmt: skip


def test_a_zero_credit_in_another_currency_leaves_the_right_one_in_peace() -> None:
    assert found(LOST, debit("10.00"), credit("0.00", currency="CHF")) == fault("wallet_currency_mismatch", currency="CHF")


def test_a_player_with_wagers_in_two_currencies_is_two_lines() -> None:
    told = make_round(
        participants=[
            player({"kind": "ante", "stake": "10.00", "paid": "20.00", "wager_id": "a"}, session_id="s1"),
            player({"kind": "ante", "stake": "5.00", "paid": "0.00", "wager_id": "b"}, session_id="s2", currency="EUR"),
        ]
    )
    assert found(told, debit("10.00"), debit("5.00", currency="EUR"), credit("20.00")) == []
    assert lines().filter(lines()["in_log"]).height == 2


def test_what_another_player_got_is_missing_here_and_too_much_there() -> None:
    told = make_round(
        hands={"H1": "Qs Qd 5h", "H2": "2s 3d 9h"},
        participants=[player(("ante", "10.00", "20.00")), player(("ante", "10.00", "0.00"), player_id="p2", hand_id="H2")],
    )
    entries = (debit("10.00"), debit("10.00", player_id="p2", txn_id="other"), credit("20.00", player_id="p2"))
    assert found(told, *entries) == [*fault("wallet_amount_mismatch", "p2"), *fault("wallet_missing_credit")]


def test_a_booking_for_a_player_who_is_not_in_the_round_is_an_orphan_at_its_table() -> None:
    ran = judge(WON, debit("10.00"), credit("20.00", player_id="p9"))
    assert sorted(ran.findings.select("check_id", "player_id").rows()) == [("wallet_missing_credit", "p1"), ("wallet_orphan", "p9")]
    assert ran.findings["table_id"].to_list() == ["TCP-01", "TCP-01"]


def test_a_booking_for_a_round_that_the_log_does_not_know_is_an_orphan_of_no_table() -> None:
    ran = judge(WON, debit("10.00"), credit("20.00"), credit("7.00", round_id="r9"))
    assert (ran.one["check_id"], ran.one["round_id"], ran.one["table_id"], ran.one["source_line"]) == ("wallet_orphan", "r9", None, 3)
    assert "does not know this round" in ran.one["message"]


def test_an_entry_from_before_the_log_is_no_orphan() -> None:
    assert found(WON, debit("10.00"), credit("20.00"), credit("7.00", round_id="r9", before_log=True)) == []


def test_an_adjustment_without_a_round_that_names_no_finding_is_an_orphan() -> None:
    assert found(LOST, debit("10.00"), entry("adjustment", "5.00", 90, round_id=None)) == fault("wallet_orphan")
    assert found(LOST, debit("10.00"), entry("adjustment", "5.00", 90, round_id=None, ref_finding="f")) == []


def test_a_missing_credit_is_awaited_until_the_ledger_has_passed_the_grace() -> None:
    ran = judge(WON, debit("10.00"), reaches=3.9)
    assert (ran.one["check_id"], ran.one["severity"]) == ("wallet_missing_credit", "info")
    assert ran.one["message"].startswith("A credit is awaited")
    passed = judge(WON, debit("10.00"), reaches=4.1)
    assert passed.one["severity"] == "critical"
    assert passed.one["finding_id"] == ran.one["finding_id"]
    assert passed.one["message"] == (
        "What was paid never reached the player: the studio reported 10.00 USD staked and 20.00 USD handed back, the wallet debited"
        " 10.00 USD and credited 0.00 USD, so 20.00 USD is missing (filing keystone-tcp-2026: late_credit_grace)."
    )


def test_expected_is_what_was_reported_and_paid_what_the_wallet_made_of_it() -> None:
    for entries, paid in (((debit("10.00"),), "0.00"), ((credit("20.00"),), "30.00"), ((debit("10.00"), credit("19.99")), "19.99")):
        one = judge(WON, *entries).one
        assert (one["expected"], one["paid"], one["delta"]) == (Decimal("20.00"), Decimal(paid), None)


def test_of_a_test_player_it_is_a_remark() -> None:
    told = make_round(participants=[player(("ante", "10.00", "20.00"), play_mode="test")])
    assert judge(told, debit("10.00")).one["severity"] == "info"


@pytest.mark.parametrize(
    "options", [{"reaches": 0}, {"from_day": date(2026, 11, 4)}, {"reaches": 0.001}], ids=["nothing", "begins later", "ends before"]
)
def test_what_the_ledger_does_not_reach_is_not_examined(options: Row) -> None:
    ran = judge(WON, **options)
    assert ran.findings.is_empty()
    for check_id in CHECKS[:-1]:
        covered = ran.covered(check_id)
        assert (covered["examined"], covered["not_examined"], covered["reason"]) == (0, 1, "not checked: no ledger of op-1 reaches it: 1")


def test_without_a_ledger_nothing_is_examined() -> None:
    ran = run_checks(make_chunk(WON), make_filed(filing()), CHECKS)
    assert {ran.covered(check_id)["reason"] for check_id in CHECKS} == {"not checked: no wallet ledger given"}


def test_retries_of_everything_multiply_nothing() -> None:
    wagers = [("ante", "10.00", "20.00"), ("pair_plus", "10.00", "10.00")]
    told = [make_round(round_id=f"r{n}", wagers=wagers, at=f"2026-11-03T15:0{n}:00Z") for n in range(5)]
    entries = [
        one
        for n in range(5)
        for one in (
            debit("10.00", round_id=f"r{n}", txn_id=f"{n}a"), debit("10.00", round_id=f"r{n}", txn_id=f"{n}b"),
            credit("15.00", round_id=f"r{n}", txn_id=f"{n}c"), credit("15.00", round_id=f"r{n}", txn_id=f"{n}d", at=400),
        )
    ]  # fmt: skip
    assert found(told, *entries, *entries) == []
    assert lines().filter(lines()["in_log"])["debited"].to_list() == [Decimal(20)] * 5
