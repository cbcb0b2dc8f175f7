"""Each check of a wager against its filing: the smallest case that it finds, and the nearest honest one that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.chunks import bet, make_round, player
from tests.support.submissions import submission

if TYPE_CHECKING:
    from tests.filings.conftest import RunUnder

_LINKED = ("decks = 2", 'decks = 2\nlinked_ante_pair_plus = { relation = "equal" }')
_NOT_ALONE = ("forfeited_by_fold = true", "forfeited_by_fold = true\nalone = false")


@pytest.mark.parametrize(("stake", "words"), [("0.99", "below the least"), ("1.00", None), ("500.00", None), ("500.01", "above the most")])
def test_stake_outside_limits(run_under: RunUnder, stake: str, words: str | None) -> None:
    ran = run_under("stake_outside_limits", submission(), rounds=[make_round(wagers=[bet("ante", stake)])])
    if words is None:
        assert ran.raised == []
        return
    assert words in ran.one["message"]
    assert ran.one["wager_id"] == "r1-p1-ante"
    assert ran.one["citation"] == "filing keystone-tcp-2026, limits.ante; cf. 58 Pa. Code § 816a.1"
    assert ran.one["expected"] is None


def test_a_rejected_stake_outside_limits_is_the_limit_at_work(run_under: RunUnder) -> None:
    ran = run_under("stake_outside_limits", submission(), rounds=[make_round(wagers=[bet("ante", "900.00", status="rejected")])])
    assert ran.raised == []


def test_a_stake_without_a_filed_limit_is_not_examined(run_under: RunUnder) -> None:
    ran = run_under("stake_outside_limits", submission(), rounds=[make_round(wagers=[bet("pair_plus", "9000.00")])])
    assert ran.raised == []
    assert ran.covered("stake_outside_limits")["reason"] == "not checked: no limit is filed for the kind and currency: 1"


def test_limits_are_each_operators_own(run_under: RunUnder) -> None:
    one = submission(("decks = 2", 'decks = 2\noperators = ["op-1"]'))
    two = submission(('id = "keystone-tcp-2026"', 'id = "two"'), ("decks = 2", 'decks = 2\noperators = ["op-2"]'), ('"500.00"', '"50.00"'))
    people = [player(bet("ante", "100.00"), player_id=f"p{n}", operator_id=f"op-{n}") for n in (1, 2)]
    ran = run_under("stake_outside_limits", one, two, rounds=[make_round(participants=people)])
    assert ran.one["operator_id"] == "op-2"
    assert ran.one["citation"].startswith("filing two, limits.ante")


@pytest.mark.parametrize(("kind", "found"), [("lucky", True), ("ante_bonus", True), ("pair_plus", False), ("play", False)])
def test_wager_not_offered(run_under: RunUnder, kind: str, *, found: bool) -> None:
    ran = run_under("wager_not_offered", submission(), rounds=[make_round(wagers=[bet("ante"), bet(kind)])])
    assert ran.raised == ([("wager_not_offered", f"r1-p1-{kind}")] if found else [])


def test_a_wager_without_a_filing_is_not_examined_for_being_offered(run_under: RunUnder) -> None:
    ran = run_under("wager_not_offered", submission(), rounds=[make_round(table_id="X", wagers=[bet("lucky")])])
    assert ran.raised == []
    assert ran.covered("wager_not_offered")["reason"] == "not checked: no filing was in force: 1"


@pytest.mark.parametrize(("currency", "found"), [("EUR", True), ("USD", False)])
def test_currency_not_filed(run_under: RunUnder, currency: str, *, found: bool) -> None:
    people = [player(bet("ante"), currency=currency)]
    ran = run_under("currency_not_filed", submission(), rounds=[make_round(participants=people)])
    assert ran.raised == ([("currency_not_filed", "r1-p1-ante")] if found else [])


def test_a_test_players_finding_is_only_information(run_under: RunUnder) -> None:
    people = [player(bet("ante"), currency="EUR", play_mode="test")]
    ran = run_under("currency_not_filed", submission(), rounds=[make_round(participants=people)])
    assert ran.one["severity"] == "info"


@pytest.mark.parametrize(
    ("wagers", "found"),
    [
        ([bet("pair_plus")], True),
        ([bet("ante"), bet("pair_plus")], False),
        ([bet("ante", status="rejected"), bet("pair_plus")], True),
        ([bet("pair_plus", status="cancelled")], False),
    ],
)
def test_side_wager_without_ante(run_under: RunUnder, wagers: list[dict[str, object]], *, found: bool) -> None:
    ran = run_under("side_wager_without_ante", submission(_NOT_ALONE), rounds=[make_round(wagers=list(wagers))])
    assert ran.raised == ([("side_wager_without_ante", "r1-p1-pair_plus")] if found else [])


def test_a_side_wager_that_may_stand_alone(run_under: RunUnder) -> None:
    ran = run_under("side_wager_without_ante", submission(), rounds=[make_round(wagers=[bet("pair_plus")])])
    assert ran.raised == []


def test_an_ante_that_a_void_took_back_was_placed(run_under: RunUnder) -> None:
    void = {"reason": "x", "authorised_by": "y", "at": "+30.000", "scope": "part", "wager_ids": ["r1-p1-ante"]}
    ran = run_under(
        "side_wager_without_ante", submission(_NOT_ALONE), rounds=[make_round(wagers=[bet("ante"), bet("pair_plus")], void=void)]
    )
    assert ran.raised == []


@pytest.mark.parametrize(
    ("wagers", "on"),
    [
        ([bet("ante"), bet("pair_plus")], None),
        ([bet("ante"), bet("play"), bet("pair_plus")], None),
        ([bet("ante"), bet("pair_plus", "5.00")], "r1-p1-pair_plus"),
        ([bet("ante")], "r1-p1-ante"),
        ([bet("pair_plus")], "r1-p1-pair_plus"),
        ([bet("six_card_bonus")], None),
    ],
)
def test_649a_7_e_linked_wagers_are_equal(run_under: RunUnder, wagers: list[dict[str, object]], on: str | None) -> None:
    ran = run_under("linked_wager_broken", submission(_LINKED), rounds=[make_round(wagers=list(wagers))])
    assert ran.raised == ([("linked_wager_broken", on)] if on else [])


def test_wagers_that_are_not_linked_may_differ(run_under: RunUnder) -> None:
    ran = run_under("linked_wager_broken", submission(), rounds=[make_round(wagers=[bet("ante"), bet("pair_plus", "5.00")])])
    assert ran.raised == []
