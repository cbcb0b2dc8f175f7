"""decision_after_reveal, decided_in_outage, timeout_not_as_filed: when and by whom it was decided to play or fold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chunks import make_round, player, reading, readings_of
from tests.support.filings import filing, make_filed
from tests.support.night import raised, run_night

Row = dict[str, Any]
PLAY = [("ante", "10.00"), ("play", "10.00")]
FOLD = [("ante", "10.00")]
# In these rounds the first dealer card is read at +35.000.


def decided(at: str | None, round_id: str, *bets: Any, person: Row | None = None, **fields: Any) -> Row:
    return make_round(participants=[player(*bets, decided_at=at, **(person or {}))], round_id=round_id, **fields)


def played(at: str, **wager: Any) -> Row:
    return {"kind": "play", "stake": "10.00", "placed_at": at, **wager}


def test_decisions_at_or_after_the_reveal() -> None:
    found = run_night(
        "decision_after_reveal",
        decided("+35.000", "at-the-first-card", *PLAY),
        decided("+36.000", "a-fold", *FOLD),
        decided("+36.000", "a-fold-by-the-operator", *FOLD, person={"decided_by": "operator"}),
        decided("+36.000", "a-play-by-time-out", *PLAY, person={"decided_by": "timeout"}),
        decided("+25.000", "placed-late", ("ante", "10.00"), played("+35.500")),
        decided(None, "only-placed", ("ante", "10.00"), played("+35.500")),
        decided("+30.000", "reveal-logged", *PLAY, dealer_revealed_at="+29.000"),
        decided("+35", "in-the-second-of-the-reveal", *PLAY),
        decided("+36.000", "in-a-void", *FOLD, status="voided", void={"reason": "x", "authorised_by": "y", "scope": "round"}),
        decided("+25.000", "cancelled-late-play", ("ante", "10.00"), played("+36.000", status="cancelled")),
    ).findings
    assert {row["wager_id"]: row["message"].partition(", when")[0] for row in found.iter_rows(named=True)} == {
        "a-fold-p1-ante": "The fold was decided at 15:00:36.000Z",
        "a-fold-by-the-operator-p1-ante": "The fold was decided at 15:00:36.000Z",
        "a-play-by-time-out-p1-play": "The play was decided at 15:00:36.000Z",
        "at-the-first-card-p1-play": "The play was decided at 15:00:35.000Z",
        "cancelled-late-play-p1-play": "The play was decided at 15:00:36.000Z",
        "in-a-void-p1-ante": "The fold was decided at 15:00:36.000Z",
        "in-the-second-of-the-reveal-p1-play": "The play was decided at 15:00:35Z",
        "only-placed-p1-play": "The play was decided at 15:00:35.500Z",
        "placed-late-p1-play": "The play was decided at 15:00:35.500Z",
        "reveal-logged-p1-play": "The play was decided at 15:00:30.000Z",
    }


def test_decisions_before_the_reveal_and_where_no_reveal_is_known() -> None:
    assert not raised(
        "decision_after_reveal",
        decided("+34.999", "just-before", *PLAY),
        decided("+35", "in-whole-seconds", *PLAY, dealer_revealed_at="+35.500"),
        decided("+36.000", "a-fold-by-time-out", *FOLD, person={"decided_by": "timeout"}),
        decided("+36.000", "reveal-logged-later", *PLAY, dealer_revealed_at="+37.000"),
        decided("+36.000", "dealer-not-turned", *FOLD, dealer=None),
        decided("+36.000", "pair-plus-alone", ("pair_plus", "5.00")),
        decided("+25.000", "rejected-late-play", ("ante", "10.00"), played("+36.000", status="rejected")),
        decided(None, "no-time", *FOLD),
    )


def test_a_shoe_that_reads_the_dealers_cards_at_the_draw_tells_no_reveal() -> None:
    at_draw = make_filed(filing(dealer_cards_read="at_draw"))
    drawn = [
        *readings_of({"H1": "Qs Qd 5h"}),
        *(reading(3 + n, "dealer", n, card, read_at="+12.000") for n, card in enumerate(["Ad", "7c", "2s"], 1)),
    ]
    honest = decided("+25.000", "r1", *PLAY, readings=drawn)
    ran = run_night("decision_after_reveal", honest, filed=at_draw)
    assert ran.findings.is_empty()
    assert ran.covered("decision_after_reveal")["examined"] == 0
    assert "the reveal is not timed" in ran.covered("decision_after_reveal")["reason"]
    late = decided("+40.000", "r1", *PLAY, readings=drawn, dealer_revealed_at="+35.000")
    assert raised("decision_after_reveal", late, filed=at_draw) == [("r1", "r1-p1-play")]


def test_folds_and_time_outs_in_an_outage() -> None:
    outage = {"stream_outages": [{"from": "+20.000", "to": "+30.000"}]}
    assert raised(
        "decided_in_outage",
        decided("+25.000", "a-fold", *FOLD, **outage),
        decided("+25.000", "a-time-out-that-plays", *PLAY, person={"decided_by": "timeout"}, **outage),
        decided("+25.000", "a-disconnect", *FOLD, person={"decided_by": "disconnect"}, **outage),
        decided("+25.000", "an-outage-without-end", *FOLD, stream_outages=[{"from": "+20.000"}]),
        decided(
            "+25.000", "the-second-outage", *FOLD, stream_outages=[{"from": "+1.000", "to": "+2.000"}, {"from": "+24.000", "to": "+26.000"}]
        ),
    ) == [(name, None) for name in ("a-disconnect", "a-fold", "a-time-out-that-plays", "an-outage-without-end", "the-second-outage")]


def test_decisions_beside_an_outage() -> None:
    outage = {"stream_outages": [{"from": "+20.000", "to": "+25.000"}]}
    void = {"reason": "stream lost", "authorised_by": "PIT-2", "at": "+30.000"}
    assert not raised(
        "decided_in_outage",
        decided("+22.000", "a-play", *PLAY, **outage),
        decided("+25.000", "at-its-end", *FOLD, **outage),
        decided("+20.000", "at-its-start", *FOLD, **outage),
        decided("+26.000", "after-it", *FOLD, **outage),
        decided(None, "no-time", *FOLD, **outage),
        decided("+22.000", "pair-plus-alone", ("pair_plus", "5.00"), **outage),
        decided("+22.000", "voided", *FOLD, status="voided", void={**void, "scope": "round"}, **outage),
        decided("+22.000", "voided-in-part", *FOLD, void={**void, "scope": "part", "player_ids": ["p1"]}, **outage),
        decided("+22.000", "no-outage", *FOLD),
    )


def test_one_finding_a_round_names_how_many_and_test_players_are_info() -> None:
    outage = {"stream_outages": [{"from": "+20.000", "to": "+30.000"}]}
    two = make_round(participants=[player(*FOLD, player_id=None), player(*FOLD, player_id="p2")], **outage)
    found = run_night("decided_in_outage", two).one
    assert found["wager_id"] is None
    assert "2 players folded or timed out (first unnamed at 15:00:25.000Z)" in found["message"]
    tested = make_round(participants=[player(*FOLD, play_mode="test")], **outage)
    assert run_night("decided_in_outage", tested).one["severity"] == "info"


def timed_out(round_id: str, *bets: Any, **fields: Any) -> Row:
    person = {"decided_by": "timeout", **fields.pop("person", {})}
    return make_round(participants=[player(*bets, **person)], round_id=round_id, **fields)


def test_a_time_out_folds_where_nothing_is_filed() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "scope": "round"}
    found = raised(
        "timeout_not_as_filed",
        timed_out("played", *PLAY),
        timed_out("folded", *FOLD),
        timed_out("claimed-fold", *PLAY, person={"decision": "fold"}),
        timed_out("rejected-play", ("ante", "10.00"), played("+25.000", status="rejected")),
        timed_out("voided", *PLAY, status="voided", void=void),
        timed_out("by-the-player", *PLAY, person={"decided_by": "player"}),
        timed_out("pair-plus-alone", ("pair_plus", "5.00"), person={"decision": None}),
    )
    assert found == [("played", "played-p1-play")]


def test_a_time_out_that_folds_as_is_usual_is_honest() -> None:
    assert raised("timeout_not_as_filed", timed_out("folded", *FOLD)) == []


def test_a_time_out_plays_where_that_is_filed() -> None:
    found = raised(
        "timeout_not_as_filed",
        timed_out("played", *PLAY),
        timed_out("folded", *FOLD),
        timed_out("still-open", *FOLD, status="open"),
        filed=make_filed(filing(on_timeout="play")),
    )
    assert found == [("folded", "folded-p1-ante")]


@pytest.mark.parametrize("readings", [None, []], ids=["read and posted", "posted only"])
def test_a_time_out_is_decided_by_the_hand_where_that_is_filed(readings: list[Row] | None) -> None:
    plays = {
        "equal": "Qs 6d 4h",
        "above": "6d Qs 5h",
        "king": "Ks 3d 2h",
        "pair": "2s 2d 3h",
        "flush": "2s 3s 5s",
        "ace-low straight": "As 2d 3h",
    }
    folds = {"below": "Qs 6d 3h", "below in the middle": "Qs 5d 4h", "jack": "Js Td 8h"}
    rounds = [timed_out(f"{name} {act}", *bets, player=hand, readings=readings, dealer="Ad 7c 9c")
              for name, hand in (plays | folds).items() for act, bets in (("played", PLAY), ("folded", FOLD))]  # fmt: skip
    found = raised("timeout_not_as_filed", *rounds, filed=make_filed(filing(on_timeout="play_if_at_least:Q64")))
    expected = [(f"{name} folded", f"{name} folded-p1-ante") for name in plays] + [
        (f"{name} played", f"{name} played-p1-play") for name in folds
    ]
    assert found == sorted(expected)


def test_a_threshold_can_be_a_pair() -> None:
    rounds = [timed_out("high-kicker", *PLAY, player="8s 8d Ah"), timed_out("higher-pair", *PLAY, player="9s 9d 2h"),
              timed_out("low-kicker", *PLAY, player="8s 8d 4h"), timed_out("high-card", *PLAY, player="As Kd Jh")]  # fmt: skip
    found = raised("timeout_not_as_filed", *rounds, filed=make_filed(filing(on_timeout="play_if_at_least:885")))
    assert [round_id for round_id, _ in found] == ["high-card", "low-kicker"]


def test_the_reading_that_counts_decides_where_the_hand_is_not_posted() -> None:
    corrected = [*readings_of({"H1": "Qs 6d 3h"}), reading(9, "H1", 3, "5h", replaces=3, source="manual", by="D1", read_at="+12.000")]
    told = timed_out("r1", *FOLD, player=None, readings=corrected, dealer=None)
    assert raised("timeout_not_as_filed", told, filed=make_filed(filing(on_timeout="play_if_at_least:Q64"))) == [("r1", "r1-p1-ante")]


def test_unknown_cards_are_not_examined() -> None:
    ran = run_night(
        "timeout_not_as_filed", timed_out("r1", *FOLD, player="?? 6d 4h"), filed=make_filed(filing(on_timeout="play_if_at_least:Q64"))
    )
    assert ran.findings.is_empty()
    assert ran.covered("timeout_not_as_filed")["not_examined"] == 1
