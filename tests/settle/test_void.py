"""Voids: what is in scope, and what is due back."""

from __future__ import annotations

import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.filings import filing
from tests.support.settled import DEALER_ACE, PAIR, due, settled, settled_one

ANTE, PLAY, PAIR_PLUS = ("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00")
KEPT = [filing(void_returns_folded=False)]


def two_players(**fields: object) -> dict[str, str]:
    people = [player(ANTE, PLAY, PAIR_PLUS, player_id="a"), player(ANTE, PLAY, player_id="b", hand_id="H2")]
    told = make_round(participants=people, hands={"H1": PAIR, "H2": "Ks 9c 4h"}, dealer=DEALER_ACE, **fields)
    return {name.removeprefix("r1-"): row["settlement"] for name, row in settled(told).items()}


ALL_OF_A = {"a-ante": "voided", "a-play": "voided", "a-pair_plus": "voided", "b-ante": "settled", "b-play": "settled"}
ALL = dict.fromkeys(ALL_OF_A, "voided")
NONE = dict.fromkeys(ALL_OF_A, "settled")


@pytest.mark.parametrize(
    ("void", "scope"),
    [
        ({"scope": "part", "player_ids": ["a"]}, ALL_OF_A),
        ({"scope": "part", "hand_ids": ["H1"]}, ALL_OF_A),
        ({"scope": "part", "wager_ids": ["r1-a-ante", "r1-b-play"]}, NONE | {"a-ante": "voided", "b-play": "voided"}),
        (
            {"scope": "part", "player_ids": ["b"], "wager_ids": ["r1-a-play"]},
            NONE | {"b-ante": "voided", "b-play": "voided", "a-play": "voided"},
        ),
        ({"scope": "part", "hand_ids": ["dealer"]}, ALL),
        ({"hand_ids": ["H1"]}, ALL_OF_A),
        ({"scope": "round", "player_ids": ["a"]}, ALL_OF_A),
        ({"scope": "round"}, NONE),
        ({"scope": "part"}, NONE),
        ({"scope": "part", "player_ids": ["nobody"], "hand_ids": [], "wager_ids": [None]}, NONE),
    ],
)
def test_the_scope_of_a_part_void_is_the_union_of_its_lists(void: dict[str, object], scope: dict[str, str]) -> None:
    assert two_players(void=void) == scope


def test_a_voided_round_voids_everything_whatever_the_lists_say() -> None:
    assert two_players(status="voided", void={"scope": "part", "player_ids": ["a"]}) == ALL
    assert two_players(status="voided") == ALL


def test_an_open_round_voids_in_part_too() -> None:
    assert two_players(status="open", void={"scope": "part", "player_ids": ["a"]}) == ALL_OF_A | {"b-ante": "pending", "b-play": "pending"}


def test_a_void_returns_every_stake_and_pays_no_win_and_no_bonus() -> None:
    got = settled_one(ANTE, PLAY, PAIR_PLUS, player="6h 7h 8h", dealer=DEALER_ACE, status="voided")
    assert {kind: due(row) for kind, row in got.items()} == {"ante": ("10", "0"), "play": ("10", None), "pair_plus": ("5", None)}
    assert {row["outcome"] for row in got.values()} == {"void"}
    assert {row["rule"] for row in got.values()} == {"void"}


def test_a_void_needs_no_filing() -> None:
    got = settled_one(ANTE, player=PAIR, status="voided", under=[])
    assert (got["ante"]["settlement"], due(got["ante"])) == ("voided", ("10", "0"))


def test_a_stake_given_back_by_cancelling_is_due_no_more() -> None:
    got = settled_one(bet("ante", status="cancelled"), bet("pair_plus", "5.00", "0.00", status="cancelled"), status="voided")
    assert (due(got["ante"]), due(got["pair_plus"])) == (("0", "0"), ("0", None))


def test_cancelled_and_refunded_too_is_a_stake_too_many() -> None:
    got = settled_one(
        bet("ante", "10.00", "0.00", "10.00", status="cancelled"), bet("pair_plus", "5.00", "5.00", status="cancelled"), status="voided"
    )
    assert (due(got["ante"]), due(got["pair_plus"])) == (("10", "0"), ("5", None))


def test_a_rejected_wager_in_a_void_was_never_taken() -> None:
    got = settled_one(bet("ante", status="rejected"), status="voided")
    assert (got["ante"]["settlement"], due(got["ante"])) == ("not_accepted", (None, None))


def test_a_free_wager_has_no_stake_to_return() -> None:
    assert due(settled_one(bet("ante", funding="free"), status="voided")["ante"]) == ("0", "0")


def test_a_void_returns_the_stakes_of_those_who_folded() -> None:
    assert due(settled_one(ANTE, PAIR_PLUS, status="voided")["pair_plus"]) == ("5", None)


def test_a_void_keeps_the_stakes_of_those_who_folded_where_filed_so() -> None:
    got = settled_one(ANTE, PAIR_PLUS, ("six_card_bonus", "5.00"), status="voided", under=KEPT)
    assert {kind: due(row) for kind, row in got.items()} == {"ante": ("0", "0"), "pair_plus": ("0", None), "six_card_bonus": ("5", None)}
    assert got["ante"]["outcome"] == "void"


def test_who_had_not_decided_has_not_folded() -> None:
    got = settled_one(participants=[player(ANTE, PAIR_PLUS, decision=None)], status="voided", under=KEPT)
    assert (due(got["ante"]), due(got["pair_plus"])) == (("10", "0"), ("5", None))


def test_who_played_before_the_void_has_not_folded() -> None:
    got = settled_one(participants=[player(ANTE, bet("play", status="cancelled"), PAIR_PLUS, decision="fold")], status="voided", under=KEPT)
    assert (due(got["ante"]), due(got["pair_plus"])) == (("10", "0"), ("5", None))
