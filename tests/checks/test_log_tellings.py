"""round_restated, conflicting_round, test_play_in_feed: what was told, and how often."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.support import night
from tests.support.chunks import make_round, player, reading, readings_of

Row = dict[str, Any]
run_night = partial(night.run_night, settle=False)
raised = partial(night.raised, settle=False)
BETS = [("ante", "10.00", "20.00"), ("play", "10.00", "20.00")]
VOID = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+28.000"}


def told(*bets: Any, person: Row | None = None, **fields: Any) -> Row:
    return make_round(participants=[player(*(bets or BETS), **(person or {}))], **fields)


WEIGHTY = {
    "stake": told(("ante", "11.00", "20.00"), BETS[1], revision=2),
    "paid": told(("ante", "10.00", "21.00"), BETS[1], revision=2),
    "bonus": told(("ante", "10.00", "20.00", "10.00"), BETS[1], revision=2),
    "wager status": told({"kind": "ante", "stake": "10.00", "paid": "20.00", "status": "cancelled"}, BETS[1], revision=2),
    "a wager more": told(*BETS, ("pair_plus", "5.00", "0.00"), revision=2),
    "a wager fewer": told(BETS[0], person={"decision": "play"}, revision=2),
    "another player": told(*BETS, person={"player_id": "p9"}, revision=2),
    "posted card": told(player="Qs Qd 6h", readings=readings_of({"H1": "Qs Qd 5h", "dealer": "Ad 7c 2s"}), revision=2),
    "a correction": told(more_readings=[reading(9, "H1", 3, "6h", replaces=3, source="manual", by="D1")], revision=2),
    "decision": told(*BETS, person={"decision": "fold"}, revision=2),
    "who decided": told(*BETS, person={"decided_by": "timeout"}, revision=2),
    "a void": told(void={**VOID, "scope": "part", "player_ids": ["p1"]}, revision=2),
    "voided": told(status="voided", void={**VOID, "scope": "round"}, revision=2),
}
LIGHT = {
    "video": told(video_ref="cam-2", revision=2),
    "posting": told(posted_at="+42.000", revision=2),
    "when decided": told(*BETS, person={"decided_at": "+26.000"}, revision=2),
    "who verified": told(verified_by="S1", revision=2),
    "table software": told(software_version="9.1", revision=2),
    "nothing": told(revision=2),
}


@pytest.mark.parametrize("later", WEIGHTY.values(), ids=WEIGHTY)
def test_a_change_of_money_cards_decision_or_void_is_medium(later: Row) -> None:
    found = run_night("round_restated", told(revision=1), later).one
    assert (found["round_id"], found["wager_id"], found["severity"]) == ("r1", None, "medium")


@pytest.mark.parametrize("later", LIGHT.values(), ids=LIGHT)
def test_any_other_change_is_info(later: Row) -> None:
    assert run_night("round_restated", told(revision=1), later).one["severity"] == "info"


def test_before_and_after_are_told_the_weightiest_first() -> None:
    later = told(("ante", "10.00", "21.50"), BETS[1], revision=2, video_ref="cam-2", dealer_id=None)
    message = run_night("round_restated", told(revision=1, video_ref="cam-1"), later).one["message"]
    assert message == (
        "Revision 2 replaced revision 1: paid of wager r1-p1-ante 20.00 → 21.50; "
        "dealer_id of the round D1 → nothing; video_ref of the round cam-1 → cam-2."
    )


def test_many_changes_are_counted() -> None:
    later = told(("ante", "11.00", "21.50", "1.00"), ("play", "11.00", "22.00"), revision=2, video_ref="cam-2")
    assert run_night("round_restated", told(revision=1), later).one["message"].endswith("; and 2 more.")


def test_an_open_round_that_is_completed_changes_nothing_but_what_was_filled_in() -> None:
    opened = told(("ante", "10.00"), ("play", "10.00"), revision=1, status="open", posted_at=None)
    assert run_night("round_restated", opened, told(revision=2)).one["severity"] == "info"
    voided = told(("ante", "10.00", "10.00"), ("play", "10.00", "10.00"), revision=2, status="voided", void={**VOID, "scope": "round"})
    assert run_night("round_restated", opened, voided).one["severity"] == "info"
    other_stake = told(("ante", "12.00", "20.00"), BETS[1], revision=2)
    assert run_night("round_restated", opened, other_stake).one["severity"] == "medium"


def test_each_restatement_of_a_round_is_a_finding_of_its_own() -> None:
    third = told(("ante", "10.00", "21.00"), BETS[1], revision=3)
    ran = run_night("round_restated", told(revision=1), told(revision=2, video_ref="cam-2"), third)
    assert ran.findings["severity"].sort().to_list() == ["info", "medium"]
    assert ran.findings["finding_id"].n_unique() == 2


def test_a_round_told_once_an_exact_repeat_and_a_conflict_are_no_restatement() -> None:
    assert run_night("round_restated", told()).findings.is_empty()
    assert run_night("round_restated", told(), told()).findings.is_empty()
    assert run_night("round_restated", told(), told(("ante", "10.00", "0.00"))).findings.is_empty()


def test_two_contents_in_one_delivery() -> None:
    found = run_night("conflicting_round", told(), told(("ante", "10.00", "0.00"), BETS[1]), told(round_id="r2")).one
    assert (found["round_id"], found["wager_id"], found["severity"]) == ("r1", None, "high")
    assert "paid of wager r1-p1-ante" in found["message"]
    assert "20.00" in found["message"]
    assert "0.00" in found["message"]
    found = run_night("conflicting_round", told(dealer_id=None), told()).one
    assert "(dealer_id of the round nothing or D1)" in found["message"]


def test_repeats_and_revisions_do_not_conflict() -> None:
    assert not raised("conflicting_round", told(), told())
    assert not raised("conflicting_round", told(revision=1), told(("ante", "10.00", "0.00"), revision=2))
    assert not raised("conflicting_round", told(), told(round_id="r2", video_ref="x"))


def test_test_players_are_told_once_a_round() -> None:
    people = [player(*BETS, player_id="t1", play_mode="test"), player(*BETS, player_id="t2", play_mode="test"), player(*BETS)]
    ran = run_night("test_play_in_feed", make_round(participants=people), told(round_id="r2"))
    assert (ran.one["round_id"], ran.one["severity"]) == ("r1", "info")
    assert ran.one["message"] == "2 players in test mode took part: all their wagers are checked and stand in no total."


def test_real_players_alone_are_no_test_play() -> None:
    assert run_night("test_play_in_feed", told()).findings.is_empty()
