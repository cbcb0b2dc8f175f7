"""missing_verification, posted_before_verified, verified_by_other, paid_before_posted: how a result is let out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chunks import make_round, player
from tests.support.filings import filing, make_filed
from tests.support.night import raised, run_night

Row = dict[str, Any]
VOID = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+28.000"}
WON = [("ante", "10.00", "20.00"), ("play", "10.00", "20.00")]


def told(round_id: str, *bets: Any, **fields: Any) -> Row:
    return make_round(participants=[player(*(bets or WON))], round_id=round_id, **fields)


def outside_the_rule(**fields: Any) -> list[Row]:
    """Rounds that these checks do not apply to: not settled, or all of it taken by a void."""
    return [
        told("voided", status="voided", void={**VOID, "scope": "round"}, **fields),
        told("all-voided-in-part", void={**VOID, "scope": "part", "player_ids": ["p1"]}, **fields),
        told("dealer-voided", void={**VOID, "scope": "part", "hand_ids": ["dealer"]}, **fields),
        told("open", status="open", **fields),
        told("interrupted", status="interrupted", **fields),
    ]


def test_settled_rounds_without_verification() -> None:
    part = {**VOID, "scope": "part", "player_ids": ["p2"]}
    two = make_round(participants=[player(*WON), player(*WON, player_id="p2")], round_id="voided-for-one", void=part, verified_at=None)
    found = raised(
        "missing_verification", told("r1", verified_at=None, verified_by=None), two, *outside_the_rule(verified_at=None), told("r2")
    )
    assert found == [("r1", None), ("voided-for-one", None)]


@pytest.mark.parametrize("check_id", ["missing_verification", "verified_by_other"])
def test_a_round_that_its_dealer_has_verified_is_honest(check_id: str) -> None:
    assert raised(check_id, told("r1")) == []


def test_a_round_without_wagers_is_verified_too() -> None:
    assert raised("missing_verification", make_round(participants=[], verified_at=None)) == [("r1", None)]


def test_a_feed_without_control_points_is_not_examined() -> None:
    bare = {"verified_at": None, "verified_by": None, "bets_closed_at": None, "sequence": None}
    ran = run_night("missing_verification", told("r1", **bare, readings=[]))
    assert ran.findings.is_empty()
    assert ran.covered("missing_verification")["reason"] == "not checked: the feed carries no control points: 1"
    assert raised("missing_verification", told("r1", **bare)) == [("r1", None)]


def test_posted_before_verified() -> None:
    early = {"posted_at": "+39.999"}
    assert raised("posted_before_verified", told("r1", **early), *outside_the_rule(**early)) == [("r1", None)]
    found = run_night("posted_before_verified", told("r1", **early)).one
    assert found["severity"] == "critical"
    assert found["message"].startswith("The result was posted at 15:00:39.999Z and verified at 15:00:40.000Z: verification was due first")


def test_posted_with_or_after_verification() -> None:
    assert not raised(
        "posted_before_verified",
        told("equal", posted_at="+40.000"),
        told("equal-in-whole-seconds", posted_at="+40", verified_at="+40.700"),
        told("not-verified", verified_at=None),
        told("not-posted", posted_at=None),
    )


def test_verified_by_someone_else() -> None:
    by = {"verified_by": "D2"}
    found = raised("verified_by_other", told("r1", **by), *outside_the_rule(**by), told("the-dealer"), told("nobody", verified_by=None))
    assert found == [("r1", None)]


def test_a_filed_supervisor_may_verify() -> None:
    filed = make_filed(filing(supervisors=["S1", "S2"]))
    found = raised(
        "verified_by_other",
        told("r1", verified_by="D2"),
        told("r2", verified_by="S2"),
        told("r3", verified_by="S2", dealer_id=None),
        filed=filed,
    )
    assert found == [("r1", None)]


@pytest.mark.parametrize(("filed", "fields", "why"), [
    (make_filed(), {"verified_by": "D2"}, "no filing in force says who may verify"),
    (None, {"verified_by": "D2", "dealer_id": None}, "the log does not name the dealer"),
])  # fmt: skip
def test_who_may_verify_can_be_unknown(filed: Any, fields: Row, why: str) -> None:
    ran = run_night("verified_by_other", told("r1", **fields), filed=filed)
    assert ran.findings.is_empty()
    assert why in ran.covered("verified_by_other")["reason"]


def paid_at(at: str | None, round_id: str, paid: str = "20.00", **fields: Any) -> Row:
    wager = {k: fields.pop(k) for k in ("status",) if k in fields}
    bets = [{"kind": "ante", "stake": "10.00", "paid": paid, "paid_at": at, **wager}, ("play", "10.00", "20.00")]
    return told(round_id, *bets, **fields)


def test_paid_before_posted() -> None:
    found = run_night("paid_before_posted", paid_at("+40.999", "r1")).one
    assert (found["round_id"], found["wager_id"]) == ("r1", None)
    assert "One wager was paid, the first at 15:00:40.999Z (r1-p1-ante), before the result was posted at 15:00:41.000Z" in found["message"]


def test_paid_in_time_refunded_closed_or_untimed() -> None:
    part = {**VOID, "scope": "part", "player_ids": ["p1"]}
    refunded = make_round(
        participants=[player({"kind": "ante", "stake": "10.00", "paid": "10.00", "paid_at": "+29.000"}), player(*WON, player_id="p2")],
        round_id="refunded-by-a-part-void", void=part,
    )  # fmt: skip
    assert not raised(
        "paid_before_posted",
        paid_at("+41.000", "equal"),
        paid_at("+41", "equal-in-whole-seconds", posted_at="+41.900"),
        paid_at("+26.000", "closed-with-nothing", paid="0.00"),
        paid_at("+29.000", "cancelled", paid="10.00", status="cancelled"),
        paid_at(None, "no-time"),
        paid_at("+20.000", "not-posted", posted_at=None),
        refunded,
        *outside_the_rule(posted_at="+60.000"),
    )


def test_a_bonus_alone_is_a_payment() -> None:
    bonus = {"kind": "ante", "stake": "10.00", "paid": None, "bonus_paid": "10.00", "paid_at": "+30.000"}
    assert raised("paid_before_posted", told("r1", bonus, ("play", "10.00"))) == [("r1", None)]
