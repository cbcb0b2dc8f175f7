"""void_without_reason, void_scope_unknown, void_splits_hand, void_after_reveal: what a void owes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.filings import filing, make_filed
from tests.support.night import raised, run_night

Row = dict[str, Any]
VOID = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+28.000"}
BETS = [("ante", "10.00", "10.00"), ("play", "10.00", "10.00")]


def voided(round_id: str = "r1", status: str = "voided", **void: Any) -> Row:
    return make_round(wagers=BETS, round_id=round_id, status=status, void={**VOID, **void})


def test_voids_without_reason_or_authoriser() -> None:
    found = raised(
        "void_without_reason",
        voided("no-reason", scope="round", reason=None),
        voided("blank-reason", scope="round", reason="  "),
        voided("no-authoriser", scope="round", authorised_by=None),
        voided("in-part", status="settled", scope="part", player_ids=["p1"], reason=None),
        make_round(wagers=BETS, round_id="no-void-at-all", status="voided"),
        voided("honest", scope="round"),
        voided("honest-part", status="settled", scope="part", player_ids=["p1"]),
        make_round(wagers=BETS, round_id="settled"),
        make_round(wagers=BETS, round_id="interrupted", status="interrupted"),
    )
    assert [round_id for round_id, _ in found] == ["blank-reason", "in-part", "no-authoriser", "no-reason", "no-void-at-all"]


def test_a_void_with_both_is_honest() -> None:
    assert raised("void_without_reason", voided("r1", scope="round")) == []


@pytest.mark.parametrize(("void", "said"), [
    ({"reason": None}, "The round was voided without a reason by PIT-2:"),
    ({"authorised_by": None}, "The round was voided (misdeal) without an authoriser:"),
    ({"reason": None, "authorised_by": None}, "The round was voided without a reason and without an authoriser:"),
])  # fmt: skip
def test_what_a_void_lacks_is_said(void: Row, said: str) -> None:
    assert run_night("void_without_reason", voided(scope="round", **void)).one["message"].startswith(said)


def test_scopes_that_the_round_cannot_have() -> None:
    found = raised(
        "void_scope_unknown",
        voided("strange-player", status="settled", scope="part", player_ids=["p1", "nobody"]),
        voided("strange-hand", status="settled", scope="part", hand_ids=["H9"]),
        voided("strange-wager", status="settled", scope="part", wager_ids=["w9"]),
        {**voided("strange-hand-where-none-is", status="settled", scope="part", hand_ids=["H9"]), "hands": []},
        voided("names-nothing", status="settled", scope="part"),
        voided("no-scope-and-nothing-named", status="settled"),
        voided("round-scope-settled", status="settled", scope="round", player_ids=["p1"]),
        voided("round-scope-interrupted", status="interrupted", scope="round", player_ids=["p1"]),
        voided("part-scope-voided", scope="part", player_ids=["p1"]),
        voided("voided-and-strange", scope="round", player_ids=["nobody"]),
    )
    assert [round_id for round_id, _ in found] == sorted([
        "strange-player", "strange-hand", "strange-wager", "names-nothing", "no-scope-and-nothing-named", "round-scope-settled",
        "round-scope-interrupted", "part-scope-voided", "voided-and-strange", "strange-hand-where-none-is",
    ])  # fmt: skip


def test_scopes_in_both_wire_shapes_that_are_right() -> None:
    seated = make_round(
        hands={"H1": "Qs Qd 5h", "H2": "2s 3d 5c"}, participants=[player(*BETS), player(*BETS, player_id="p2", hand_id="H2")],
        round_id="a-hand", void={**VOID, "scope": "part", "hand_ids": ["H2"]},
    )  # fmt: skip
    assert not raised(
        "void_scope_unknown",
        seated,
        voided("the-round", scope="round"),
        voided("no-scope-voided"),
        voided("lists-beside-round", scope="round", hand_ids=["H1"], player_ids=["p1"]),
        voided("a-player", status="settled", scope="part", player_ids=["p1"]),
        voided("a-wager", status="settled", scope="part", wager_ids=["a-wager-p1-ante"]),
        voided("lists-without-scope", status="settled", player_ids=["p1"]),
        voided("the-dealer", status="settled", scope="part", hand_ids=["dealer"]),
        make_round(wagers=BETS, round_id="a-misdealt-hand", player=None, dealer=None, readings=[],
                   void={**VOID, "scope": "part", "hand_ids": ["H1"]}),
        make_round(wagers=BETS, round_id="no-void"),
        make_round(wagers=BETS, round_id="voided-without-a-word", status="voided"),
    )  # fmt: skip


def test_what_is_strange_in_a_scope_is_said() -> None:
    message = run_night("void_scope_unknown", voided(status="settled", scope="round", hand_ids=["H9"], player_ids=["x"])).one["message"]
    assert "names the hand H9, which the round has not; it names the player x, who is not in the round" in message
    assert "it has the scope round in a round that is settled" in message


def test_a_part_void_that_splits_ante_and_play() -> None:
    part = {**VOID, "scope": "part"}
    nameless = player(("ante", "10.00", "10.00"), bet("play", "10.00", "10.00", wager_id="w"), player_id=None)
    found = run_night(
        "void_splits_hand",
        make_round(wagers=BETS, round_id="takes-the-play", void={**part, "wager_ids": ["takes-the-play-p1-play"]}),
        make_round(wagers=BETS, round_id="takes-the-ante", void={**part, "wager_ids": ["takes-the-ante-p1-ante"]}),
        make_round(participants=[nameless, player(*BETS)], round_id="both", void={**part, "wager_ids": ["w", "both-p1-ante"]}),
    ).findings
    assert {row["round_id"]: row["message"].partition(":")[0] for row in found.iter_rows(named=True)} == {
        "takes-the-play": "The part void takes the play of p1 and leaves the ante standing",
        "takes-the-ante": "The part void takes the ante of p1 and leaves the play standing",
        "both": "The part void takes the play of a player without id (and of 1 more) and leaves the ante standing",
    }


def test_part_voids_that_split_nothing() -> None:
    part = {**VOID, "scope": "part"}
    two = [player(*BETS), player(*BETS, player_id="p2")]
    side = [*BETS, ("pair_plus", "5.00", "5.00")]
    rejected = [("ante", "10.00", "10.00"), {"kind": "play", "stake": "10.00", "status": "rejected"}]
    cancelled = [("ante", "10.00", "10.00"), {"kind": "play", "stake": "10.00", "status": "cancelled"}]
    assert not raised(
        "void_splits_hand",
        make_round(participants=two, round_id="another-player", void={**part, "player_ids": ["p2"]}),
        make_round(wagers=side, round_id="a-side-wager", void={**part, "wager_ids": ["a-side-wager-p1-pair_plus"]}),
        make_round(wagers=side, round_id="all-but-one", void={**part, "wager_ids": [f"all-but-one-p1-{k}" for k in ("ante", "play")]}),
        make_round(wagers=[("ante", "10.00", "10.00")], round_id="a-folded-ante", void={**part, "wager_ids": ["a-folded-ante-p1-ante"]}),
        make_round(wagers=rejected, round_id="rejected-play", void={**part, "wager_ids": ["rejected-play-p1-ante"]}),
        make_round(wagers=cancelled, round_id="cancelled-play", void={**part, "player_ids": ["p1"]}),
        voided("the-round", scope="round"),
        make_round(wagers=BETS, round_id="no-void"),
    )  # fmt: skip


def test_a_void_after_the_reveal_is_told() -> None:
    late = make_round(participants=[player(*BETS), player(*BETS, player_id="p2"), player(*BETS, player_id="t", play_mode="test")],
                      status="voided", void={**VOID, "scope": "round", "at": "+36.000"})  # fmt: skip
    found = run_night("void_after_reveal", late).one
    assert (found["severity"], found["round_id"], found["wager_id"]) == ("info", "r1", None)
    assert found["message"].startswith("PIT-2 voided the round at 15:00:36.000Z (misdeal), after the dealer's hand was turned from")
    assert "stakes of 40.00 USD by 2 players fell under it" in found["message"]
    assert "without it the players would have won 40.00 USD and lost 0.00 USD." in found["message"]


def test_what_the_players_would_have_won_and_lost_without_the_void() -> None:
    def person(name: str, hand_id: str, *bets: Any, **fields: Any) -> Row:
        return player(*bets, player_id=name, hand_id=hand_id, **fields)

    late = make_round(
        hands={"H1": "3s 4c 8d", "H2": "Ks Kd 5h", "H3": "?? 4d 6h"},
        participants=[
            person("loses", "H1", ("ante", "10.00"), ("play", "10.00")),
            person("folds", "H1", ("ante", "7.00")),
            person("wins", "H2", ("ante", "20.00"), {"kind": "play", "stake": "20.00", "status": "cancelled"}, decision="play"),
            person("unknown", "H3", ("pair_plus", "5.00")),
            person("euros", "H1", ("pair_plus", "3.00"), currency="EUR"),
        ],
        status="voided", void={**VOID, "scope": "round", "at": "+36.000"},
    )  # fmt: skip
    message = run_night("void_after_reveal", late).one["message"]
    assert (
        "stakes of 3.00 EUR by one player fell under it, and without it the players would have won 0.00 EUR and lost 3.00 EUR;" in message
    )
    assert "stakes of 72.00 USD by 4 players fell under it" in message
    assert "would have won 40.00 USD and lost 27.00 USD, one wager apart that cannot be settled." in message


def test_a_late_part_void_counts_only_what_it_takes() -> None:
    two = [player(*BETS), player(*BETS, player_id="p2")]
    late = make_round(participants=two, void={**VOID, "scope": "part", "player_ids": ["p2"], "at": "+36.000"})
    assert "in part" in run_night("void_after_reveal", late).one["message"]
    assert "stakes of 20.00 USD by one player" in run_night("void_after_reveal", late).one["message"]


def test_voids_before_the_reveal_or_without_one_are_not() -> None:
    def at(moment: str | None, round_id: str, **fields: Any) -> Row:
        return make_round(wagers=BETS, round_id=round_id, status="voided", void={**VOID, "scope": "round", "at": moment}, **fields)

    ran = run_night(
        "void_after_reveal",
        at("+28.000", "before"),
        at("+35.000", "at-the-reveal"),
        at("+35.400", "within-its-second", dealer_revealed_at="+35"),
        at("+90.000", "two-cards-out", player="Qs Qd", dealer=None),
        at(None, "no-time"),
    )
    assert ran.findings.is_empty()
    assert ran.covered("void_after_reveal")["not_examined"] == 2
    at_draw = make_filed(filing(dealer_cards_read="at_draw"))
    assert run_night("void_after_reveal", at("+90.000", "r1"), filed=at_draw).findings.is_empty()
