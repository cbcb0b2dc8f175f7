from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from tests.support.checks import run_checks
from tests.support.chunks import Row, bet, make_chunk, make_round, player
from tests.support.filings import filing, make_filed

RULES = (
    "play_not_equal_ante", "play_without_ante", "play_after_fold", "missing_play", "missing_decision", "wager_before_open",
    "duplicate_wager", "split_participation",
)  # fmt: skip


FILINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stakes may be added": {"stakes_may_be_added": True},
    "pair plus stands": {"wagers": {"pair_plus": {"odds": {"pair": "1 to 1"}, "forfeited_by_fold": False}}},
}


@dataclass(frozen=True)
class Case:
    """A round of these participants under one of the filings, and what it is to raise."""

    round: Row
    under: str
    raises: tuple[tuple[str, str], ...]


def case(*participants: Row, raises: tuple[tuple[str, str], ...] = (), under: str = "plain", **told: Any) -> Case:
    return Case({"participants": list(participants), **told}, under, raises)


def fault(check: str, wager: str, *participants: Row, **told: Any) -> Case:
    """A round that raises this check on this wager (its id without the round's) and nothing else."""
    return case(*participants, raises=((check, wager),), **told)


ANTE, PLAY = bet("ante", "10.00"), bet("play", "10.00")
HONEST = (ANTE, PLAY)
FOLDED = (ANTE, bet("pair_plus", "5.00"))
VOIDED: Row = {"status": "voided", "void": {"reason": "misdeal", "authorised_by": "S1", "scope": "round"}}
LATER = {"placed_at": "+6.000"}
EARLY = "2026-11-03T14:59:59.999Z"
SIDE = bet("pair_plus", "5.00", wager_id="side")


def other(kind: str, **fields: Any) -> Row:
    """A second wager of a kind by p1, placed later, under an id of its own."""
    return bet(kind, fields.pop("stake", "10.00"), wager_id="second", **{**LATER, **fields})


FAULTS = {
    "a play of another stake": fault("play_not_equal_ante", "p1-play", player(ANTE, bet("play", "10.01"))),
    "a play of another stake in a void": fault("play_not_equal_ante", "p1-play", player(ANTE, bet("play", "5.00")), **VOIDED),
    "a play of one ante of two": fault(
        "play_not_equal_ante", "p1-play", player(bet("ante", "10.00"), other("ante", stake="5.00"), bet("play", "10.00")),
        under="stakes may be added",
    ),
    "a play alone": fault("play_without_ante", "p1-play", player(bet("play", "10.00"))),
    "a play beside a refused ante": fault("play_without_ante", "p1-play", player(ANTE | {"status": "rejected"}, PLAY)),
    "a play beside a reversed ante": fault("play_without_ante", "p1-play", player(ANTE | {"status": "cancelled"}, PLAY)),
    "a play of one who folded": fault("play_after_fold", "p1-play", player(*HONEST, decision="fold")),
    "a claimed play that is not there": fault("missing_play", "p1-ante", player(*FOLDED, decision="play")),
    "a claimed play that was refused": fault(
        "missing_play", "p1-ante", player(bet("ante", "10.00"), bet("play", "10.00", status="rejected"), decision="play")
    ),
    "no claim and a play": fault("missing_decision", "p1-ante", player(*HONEST, decision=None)),
    "no claim and no play": fault("missing_decision", "p1-ante", player(*FOLDED, decision=None)),
    "an ante a moment too early": fault("wager_before_open", "p1-ante", player(bet("ante", "10.00", placed_at=EARLY), decision="fold")),
    "a kind twice": fault("duplicate_wager", "second", player(*FOLDED, other("pair_plus"))),
    "an id twice": fault("duplicate_wager", "p1-ante#2", player(*HONEST, bet("ante", "10.00", **LATER))),
    "an id twice, once refused": fault(
        "duplicate_wager", "p1-pair_plus#2", player(*FOLDED, bet("pair_plus", "5.00", status="rejected", **LATER))
    ),
    "two plays of one ante": fault("duplicate_wager", "second", player(*HONEST, other("play", placed_at="+26.000"))),
    "two plays, the later logged first": fault("duplicate_wager", "p1-play", player(*HONEST, other("play", placed_at="+24.000"))),
    "three of a kind": case(
        player(*FOLDED, other("pair_plus"), bet("pair_plus", "1.00", wager_id="third", placed_at="+7.000")),
        raises=(("duplicate_wager", "second"), ("duplicate_wager", "third")),
    ),
    "pair plus in a session of its own": fault(
        "split_participation", "side", player(*HONEST, session_id="s1"),
        player(SIDE, bet("pair_plus", "5.00", status="rejected", wager_id="refused"), session_id="s2"),
    ),
}  # fmt: skip

HONEST_ROUNDS = {
    "a play": case(player(*HONEST)),
    "a fold": case(player(*FOLDED)),
    "pair plus alone": case(player(SIDE)),
    "a play of all that was staked": case(
        player(bet("ante", "10.00"), other("ante", stake="5.00"), bet("play", "15.00")), under="stakes may be added"
    ),
    "a play that a void returned": case(
        player(bet("ante", "10.00", status="cancelled"), bet("play", "10.00", status="cancelled"), decision="play"), **VOIDED
    ),
    "a void before anyone decided": case(player(bet("ante", "10.00"), decision=None), **VOIDED),
    "an open round before anyone decided": case(player(bet("ante", "10.00"), decision=None), status="open"),
    "an interrupted round between claim and play": case(player(bet("ante", "10.00"), decision="play"), status="interrupted"),
    "an ante that was refused": case(player(bet("ante", "10.00", status="rejected"), decision=None)),
    "an ante refused and tried again": case(player(*HONEST, other("ante", status="rejected"))),
    "a side wager reversed and placed again": case(player(*FOLDED, other("pair_plus", status="cancelled"))),
    "a side wager added to": case(player(*FOLDED, other("pair_plus", stake="1.00")), under="stakes may be added"),
    "an ante at the opening": case(player(bet("ante", "10.00", placed_at="+0.000"))),
    "an ante within the second of the opening": case(player(bet("ante", "10.00", placed_at="2026-11-03T15:00:00Z")), opened_at="+0.900"),
    "an ante without a time": case(player(bet("ante", "10.00", placed_at=None))),
    "a wager refused because it came too early": case(player(bet("ante", "10.00", placed_at=EARLY, status="rejected"))),
    "two whole sessions": case(
        player(*HONEST, session_id="s1"), player(bet("ante", "5.00", wager_id="a2"), bet("pair_plus", "5.00"), session_id="s2")
    ),
    "pair plus on another hand": case(player(*HONEST), player(SIDE, hand_id="H2"), hands={"H1": "Qs Qd 5h", "H2": "2c 3d 9h"}),
    "pair plus of another player": case(player(*HONEST), player(SIDE, player_id="p2")),
    "pair plus of another operator's player": case(player(*HONEST), player(SIDE, operator_id="op-2")),
    "a six-card bet in a session of its own": case(
        player(*HONEST, session_id="s1"), player(bet("six_card_bonus", "5.00", wager_id="side"), session_id="s2")
    ),
    "pair plus that no fold forfeits": case(player(*HONEST, session_id="s1"), player(SIDE, session_id="s2"), under="pair plus stands"),
}  # fmt: skip


@cache
def judged(under: str) -> dict[str, list[tuple[str, str]]]:
    """All rounds under one filing, run at once: what each raised, wagers named without their round."""
    rounds = [make_round(round_id=name, **told.round) for name, told in (FAULTS | HONEST_ROUNDS).items() if told.under == under]
    ran = run_checks(make_chunk(*rounds), make_filed(filing(**FILINGS[under])), RULES)
    raised: dict[str, list[tuple[str, str]]] = {}
    for found in ran.findings.iter_rows(named=True):
        raised.setdefault(found["round_id"], []).append((found["check_id"], found["wager_id"].removeprefix(f"{found['round_id']}-")))
    return raised


@pytest.mark.parametrize("name", FAULTS)
def test_the_smallest_round_that_breaks_a_rule_raises_it_alone(name: str) -> None:
    assert sorted(judged(FAULTS[name].under)[name]) == list(FAULTS[name].raises)


@pytest.mark.parametrize("name", HONEST_ROUNDS)
def test_the_nearest_honest_round_is_silent(name: str) -> None:
    assert name not in judged(HONEST_ROUNDS[name].under)


def test_a_conflicting_round_is_not_judged_by_what_its_tellings_add_up_to() -> None:
    one = make_round(participants=[player(bet("ante", "10.00", wager_id="a"), bet("play", "10.00", wager_id="b"))])
    two = make_round(participants=[player(bet("ante", "20.00", wager_id="c"), bet("play", "20.00", wager_id="d"))])
    ran = run_checks(make_chunk(one, two), make_filed(filing()), RULES)
    assert ran.raised == []
    assert ran.covered("play_not_equal_ante")["reason"] == "not checked: its round is told in two ways: 2"


def test_the_sentence_names_both_stakes() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "10.00"), ("play", "20.00")]))
    found = run_checks(chunk, make_filed(filing()), "play_not_equal_ante").one
    assert found["message"] == (
        "Play of 20.00 USD beside an ante of 10.00 USD; a play wager equals the ante "
        "(filing keystone-tcp-2026: play; cf. 58 Pa. Code § 649a.11): 10.00 USD was due as its stake."
    )
    assert (found["expected"], found["paid"], found["delta"]) == (None, None, None)


def test_a_player_without_an_id_is_told_as_one() -> None:
    rounds = []
    for name, told in FAULTS.items():
        people = [person | {"player_id": None} for person in told.round["participants"]]
        rounds.append(make_round(round_id=name, **told.round | {"participants": people}))
    found = run_checks(make_chunk(*rounds), make_filed(filing()), RULES).findings
    assert {check for check, message in found.select("check_id", "message").iter_rows() if "without id" in message} == {
        "duplicate_wager", "missing_decision", "missing_play", "play_after_fold", "play_without_ante",
    }  # fmt: skip
