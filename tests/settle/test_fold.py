"""58 Pa. Code § 649a.11(b): what a fold forfeits and what stands."""

from __future__ import annotations

import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.filings import filing
from tests.support.settled import DEALER_ACE, PAIR, due, settled, settled_one

ANTE, PLAY = ("ante", "10.00"), ("play", "10.00")
SIX = {"odds": {"pair": "1 to 1"}, "forfeited_by_fold": False, "judged_on": "best_five_of_six"}


def test_649a_11_b_1_fold_forfeits_pair_plus() -> None:
    got = settled_one(ANTE, ("pair_plus", "5.00"), player=PAIR)
    assert (due(got["ante"]), due(got["pair_plus"])) == (("0", "0"), ("0", None))
    assert (got["pair_plus"]["outcome"], got["pair_plus"]["rule"], got["pair_plus"]["settlement"]) == (
        "forfeit",
        "pair_plus.forfeited_by_fold",
        "settled",
    )


def test_649a_11_b_1_pair_plus_without_an_ante_is_no_fold() -> None:
    got = settled_one(("pair_plus", "5.00"), player=PAIR)["pair_plus"]
    assert (due(got), got["outcome"], got["rule"]) == (("10", None), "win", "pair_plus.odds.pair")


@pytest.mark.parametrize("kind", ["six_card_bonus", "five_card_hand_bonus", "five_of_six_progressive"])
def test_649a_11_b_3_six_card_bets_stand_after_a_fold(kind: str) -> None:
    got = settled_one(ANTE, (kind, "5.00"), player=PAIR, under=[filing(wagers={kind: SIX})])
    assert (due(got[kind]), got[kind]["outcome"]) == (("10", None), "win")


def test_pair_plus_survives_a_fold_where_filed_so() -> None:
    under = [filing(wagers={"pair_plus": {"odds": {"pair": "1 to 1"}, "forfeited_by_fold": False}})]
    assert due(settled_one(ANTE, ("pair_plus", "5.00"), player=PAIR, under=under)["pair_plus"]) == ("10", None)


def test_a_rejected_play_is_a_fold_whatever_is_claimed() -> None:
    got = settled_one(ANTE, bet("play", status="rejected"), ("pair_plus", "5.00"), participants=None, player=PAIR)
    assert due(got["ante"]) == ("0", "0")
    assert due(got["pair_plus"]) == ("0", None)
    assert (got["play"]["settlement"], got["play"]["settlement_reason"], due(got["play"])) == ("not_accepted", "rejected", (None, None))


def test_a_play_cancelled_outside_a_void_is_a_fold() -> None:
    got = settled_one(ANTE, bet("play", status="cancelled"), player=PAIR)
    assert (got["ante"]["outcome"], got["play"]["settlement"], got["play"]["settlement_reason"]) == ("forfeit", "not_accepted", "cancelled")


def test_a_play_returned_by_a_void_was_made() -> None:
    for status in ("accepted", "cancelled"):
        void = {"scope": "part", "wager_ids": ["r1-p1-play"]}
        got = settled_one(ANTE, bet("play", status=status), player=PAIR, dealer=DEALER_ACE, void=void)
        assert (due(got["ante"]), got["play"]["settlement"]) == (("20", "0"), "voided")


def test_a_voided_ante_was_made_and_its_play_settles() -> None:
    got = settled_one(ANTE, PLAY, player=PAIR, dealer=DEALER_ACE, void={"scope": "part", "wager_ids": ["r1-p1-ante"]})
    assert (due(got["ante"]), got["ante"]["outcome"], due(got["play"])) == (("10", "0"), "void", ("20", None))


def test_a_rejected_ante_is_no_ante() -> None:
    got = settled_one(bet("ante", status="rejected"), ("pair_plus", "5.00"), player=PAIR)
    assert (got["ante"]["settlement"], due(got["pair_plus"])) == ("not_accepted", ("10", None))


def test_play_without_ante_is_unsettleable_and_the_rest_settles() -> None:
    got = settled_one(PLAY, ("pair_plus", "5.00"), player=PAIR)
    assert (got["play"]["settlement"], got["play"]["settlement_reason"], due(got["play"])) == (
        "unsettleable",
        "play_without_ante",
        (None, None),
    )
    assert due(got["pair_plus"]) == ("10", None)


def test_play_after_fold_leaves_only_what_a_fold_would_not_forfeit() -> None:
    people = [player(ANTE, PLAY, ("pair_plus", "5.00"), ("six_card_bonus", "5.00"), decision="fold")]
    got = settled_one(participants=people, player=PAIR)
    assert {kind: row["settlement_reason"] for kind, row in got.items()} == {
        "ante": "play_after_fold", "play": "play_after_fold", "pair_plus": "play_after_fold", "six_card_bonus": None,
    }  # fmt: skip
    assert due(got["six_card_bonus"]) == ("0", None)


def test_a_claimed_play_without_a_play_wager_settles_as_a_fold() -> None:
    got = settled_one(participants=[player(ANTE, decision="play")], player=PAIR)
    assert got["ante"]["rule"] == "fold"


def test_fold_rules_act_within_a_participant() -> None:
    people = [
        player(ANTE, player_id="a"),
        player(("pair_plus", "5.00"), player_id="a", session_id="other"),
        player(ANTE, PLAY, player_id="b"),
    ]
    got = settled(make_round(participants=people, player=PAIR, dealer=DEALER_ACE))
    assert (due(got["r1-a-ante"]), due(got["r1-a-pair_plus"]), due(got["r1-b-ante"])) == (("0", "0"), ("10", None), ("20", "0"))


@pytest.mark.parametrize("status", ["open", "interrupted"])
def test_an_open_round_is_pending_and_nobody_has_folded(status: str) -> None:
    got = settled_one(ANTE, bet("pair_plus", status="rejected"), player=PAIR, status=status)
    assert (got["ante"]["settlement"], got["ante"]["settlement_reason"], due(got["ante"])) == ("pending", status, (None, None))
    assert got["pair_plus"]["settlement"] == "not_accepted"
