"""meter_break, meter_payout_mismatch, meter_contribution_mismatch: what a progressive meter did."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.filings import filing, make_filed
from tests.support.night import raised, run_night

Row = dict[str, Any]
ODDS = {"mini_royal_spades": {"meter": "100 %"}, "mini_royal": "500 for 1", "straight_flush": "70 to 1"}
ROYAL, SUITED, NOTHING = "As Ks Qs", "Ah Kh Qh", "2s 7d 9h"


def filed(**meter: Any) -> Any:
    kind = {"odds": ODDS, "judged_on": "player_three", "forfeited_by_fold": False, "stake_returned": False}
    return make_filed(filing(wagers={"progressive": kind}, meters={"M1": {"seed": "100.00", "share_of": "progressive", **meter}}))


def moved(seq: int | None = 1, before: str | None = "500.00", after: str | None = "500.10", **amounts: str | None) -> Row:
    usual = {"contribution": "0.10", "paid": "0.00", "reseed": "0.00"}
    return {"meter_id": "M1", "kind": "progressive", "seq": seq, "before": before, "after": after, "currency": "USD", **usual, **amounts}


def told(*movements: Row, n: int = 0, hand: str = NOTHING, bets: list[Any] | None = None, **fields: Any) -> Row:
    wagers = bets or [("ante", "10.00"), ("play", "10.00"), ("progressive", "1.00")]
    fields.setdefault("round_id", f"r{n}")
    return make_round(hand, "Ad 7c 2c", wagers, meters=list(movements), sequence=n + 1, at=f"2026-11-03T15:{n:02}:00.000Z", **fields)


def test_a_movement_that_does_not_add_up() -> None:
    found = run_night("meter_break", told(moved(after="500.11"))).one
    assert (found["round_id"], found["wager_id"], found["severity"], found["delta"]) == ("r0", None, "high", None)
    assert "ends at 500.11 USD, where 500.00 + 0.10 - 0.00 + 0.00 = 500.10 USD was due" in found["message"]


def test_a_movement_that_does_not_start_where_the_last_one_ended() -> None:
    found = run_night("meter_break", told(moved(1)), told(moved(2, before="500.00", after="500.10"), n=1)).one
    assert found["round_id"] == "r1"
    assert "starts at 500.00 USD, where movement 1 had ended at 500.10 USD" in found["message"]


def test_a_movement_without_an_end_is_examined_for_its_start() -> None:
    edge = told(moved(1))
    ran = run_night("meter_break", told(moved(2, before="500.20", after=None)), edge=edge)
    covered = ran.covered("meter_break")
    assert (ran.findings.height, covered["examined"], covered["not_examined"]) == (1, 1, 1)


def test_movements_that_add_up() -> None:
    assert not raised(
        "meter_break",
        told(moved(1)),
        told(moved(2, before="500.10", after="100.00", paid="500.20", reseed="100.00"), n=1),
        told(moved(4, before="77.00", after="77.10"), n=2),  # movement 3 is not in the log
        told(moved(5, before="77.10", after="77.10", contribution=None, paid=None, reseed=None), n=3),
        told(moved(6, before=None, after="77.20"), n=4),
        told(moved(7, before="77.20", after="77.200000", contribution="0"), n=5),
        told({**moved(2, before="9.00", after="9.10"), "meter_id": "M2"}, n=6),
        told({**moved(None, before="3.00", after="3.10"), "meter_id": "M3"}, n=7),
        told(moved(8, before="1.00", after="9.99"), n=8, revision=1),
        told(moved(8, before="77.20", after="77.30"), n=8, revision=2),
    )


def test_the_last_movement_of_the_day_before_is_where_the_first_starts() -> None:
    edge = told(moved(1))
    assert raised("meter_break", told(moved(2, before="500.20", after="500.30")), edge=edge) == [("r0", None)]
    assert not raised("meter_break", told(moved(2, before="500.10", after="500.20")), edge=edge)


def test_two_breaks_in_one_round_are_two_findings() -> None:
    ran = run_night("meter_break", told(moved(1, after="1.00"), {**moved(1, after="2.00"), "meter_id": "M2"}))
    assert ran.findings["finding_id"].n_unique() == 2


@pytest.mark.parametrize(("hand", "due"), [(ROYAL, "500.10"), (NOTHING, "0.00")])
def test_a_meter_pays_its_share_and_nothing_else(hand: str, due: str) -> None:
    assert not raised("meter_payout_mismatch", told(moved(paid=due), hand=hand), filed=filed())
    found = run_night("meter_payout_mismatch", told(moved(paid="123.00"), hand=hand), filed=filed()).one
    assert (found["round_id"], found["severity"]) == ("r0", "critical")
    assert (found["expected"], found["paid"]) == (Decimal(due), Decimal("123.00"))
    assert found["delta"] is None
    assert "paid out 123.00 USD" in found["message"]


def test_a_winner_who_is_not_told_to_the_meter() -> None:
    assert raised("meter_payout_mismatch", told(moved(paid=None), hand=ROYAL), filed=filed()) == [("r0", None)]


@pytest.mark.parametrize(("from_meter", "due"), [(True, "500.00"), (False, "0.00")])
def test_fixed_awards_come_from_the_meter_where_that_is_filed(from_meter: bool, due: str) -> None:
    assert not raised("meter_payout_mismatch", told(moved(paid=due), hand=SUITED), filed=filed(fixed_awards_from_meter=from_meter))


def test_an_award_to_1_takes_only_the_winnings_from_the_meter() -> None:
    assert not raised("meter_payout_mismatch", told(moved(paid="70.00"), hand="4h 5h 6h"), filed=filed(fixed_awards_from_meter=True))


def test_where_the_filing_does_not_say_who_pays_a_fixed_award_nothing_is_examined() -> None:
    ran = run_night("meter_payout_mismatch", told(moved(), hand=SUITED), filed=filed(fixed_awards_from_meter=None))
    assert ran.findings.is_empty()
    assert "a fixed award was won" in ran.covered("meter_payout_mismatch")["reason"]


def test_several_winners_share_and_test_players_win_nothing() -> None:
    bets = [("ante", "10.00"), ("play", "10.00"), ("progressive", "1.00")]
    people = [player(*bets, player_id="a"), player(*bets, player_id="b"), player(*bets, player_id="t", play_mode="test")]
    shared = make_round(ROYAL, "Ad 7c 2c", participants=people, meters=[moved(paid="500.10")])
    assert not raised("meter_payout_mismatch", shared, filed=filed(several_winners="share_equally"))


def test_a_voided_round_pays_nothing_from_a_meter_and_an_open_one_is_not_examined() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "scope": "round"}
    assert not raised("meter_payout_mismatch", told(moved(), hand=ROYAL, status="voided", void=void), filed=filed())
    ran = run_night("meter_payout_mismatch", told(moved(), hand=ROYAL, status="open"), filed=filed())
    assert ran.findings.is_empty()
    assert ran.covered("meter_payout_mismatch")["examined"] == 0
    assert ran.findings.filter(pl.col("severity") == "critical").is_empty()


def fed(contribution: str | None, *bets: Any, **fields: Any) -> Row:
    placed = [("ante", "10.00"), ("play", "10.00"), *(bets or [("progressive", "1.00")])]
    return told(moved(contribution=contribution), bets=placed, **fields)


def misfed(*rounds: Row, **given: Any) -> list[str]:
    """The rounds that fed a meter other than by the filed share."""
    told_of: list[str] = run_night("meter_contribution_mismatch", *rounds, **given).findings["round_id"].to_list()
    return told_of


def test_a_meter_is_fed_the_filed_share_of_the_wagers_placed() -> None:
    assert not misfed(fed("0.10"), filed=filed())
    found = run_night("meter_contribution_mismatch", fed("0.11"), filed=filed()).one
    assert (found["round_id"], found["severity"]) == ("r0", "info")
    assert "added 0.11 USD to the meter M1, and 0.10 USD is the filed share" in found["message"]


@pytest.mark.parametrize(
    ("contribution", "is_wrong"), [("0.12", False), ("0.125", False), ("0.13", False), ("0.119", True), ("0.14", True)]
)
def test_the_share_of_a_stake_may_be_rounded_either_way(contribution: str, is_wrong: bool) -> None:
    assert bool(misfed(fed(contribution, ("progressive", "1.25")), filed=filed())) is is_wrong


def test_a_round_without_a_wager_on_the_meter_feeds_it_nothing() -> None:
    quiet = {"bets": [("ante", "10.00"), ("play", "10.00")]}
    assert not misfed(told(moved(contribution="0"), **quiet), filed=filed())
    assert misfed(told(moved(contribution="0.10"), **quiet), filed=filed()) == ["r0"]


@pytest.mark.parametrize("elsewhere", [{"studio_id": "studio-8"}, {"tables": ["TCP-09"]}, {"effective_to": date(2026, 11, 2)}])
def test_a_meter_that_only_a_filing_not_in_force_knows_is_not_held_against_it(elsewhere: Row) -> None:
    under = make_filed(filing(), filing(meters={"M1": {"seed": "100.00", "share_of": "progressive"}}, filing_id="other", **elsewhere))
    quiet = told({**moved(paid="0.01"), "kind": None}, bets=[("ante", "10.00"), ("play", "10.00")])
    assert not misfed(quiet, filed=under)
    assert not raised("meter_payout_mismatch", quiet, filed=under)


@pytest.mark.parametrize(
    ("round_told", "reason"),
    [
        (fed(None), "does not say what was added"),
        (fed("0.99", bet("progressive", "1.00", funding="free")), "free, cancelled"),
        (fed("0.99", bet("progressive", "1.00", status="cancelled")), "free, cancelled"),
        (fed("0.99", status="open"), "not settled"),
    ],
)
def test_a_share_that_the_filing_does_not_speak_of_is_not_examined(round_told: Row, reason: str) -> None:
    ran = run_night("meter_contribution_mismatch", round_told, filed=filed())
    assert ran.findings.is_empty()
    assert (ran.covered("meter_contribution_mismatch")["examined"], reason in ran.covered("meter_contribution_mismatch")["reason"]) == (
        0,
        True,
    )


def test_a_rejected_wager_feeds_nothing_and_an_unfiled_share_is_not_looked_at() -> None:
    assert not misfed(fed("0", bet("progressive", "1.00", status="rejected")), filed=filed())
    assert not misfed(fed("0.99"), filed=filed(contribution_num=None, contribution_den=None))


def test_movements_without_a_number_are_not_followed_from_one_to_the_next() -> None:
    ran = run_night("meter_break", told(moved(None)), told(moved(None, before="9.00", after="9.10"), n=1))
    assert ran.findings.is_empty()
    assert "no number" in ran.covered("meter_break")["reason"]
    assert raised("meter_break", told(moved(None, after="500.11"))) == [("r0", None)]
