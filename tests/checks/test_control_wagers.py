"""wager_after_close, cancelled_without_void: what a wager may not do after the betting."""

from __future__ import annotations

from typing import Any

import polars as pl

from tests.support.chunks import make_round, player
from tests.support.night import raised, run_night

Row = dict[str, Any]


def placed(at: str | None, round_id: str, kind: str = "pair_plus", wager: Row | None = None, **fields: Any) -> Row:
    late = {"kind": kind, "stake": "10.00" if kind == "play" else "5.00", "placed_at": at, **(wager or {})}
    bets = [("ante", "10.00", "20.00"), late, *([] if kind == "play" else [("play", "10.00", "20.00")])]
    return make_round(participants=[player(*bets)], round_id=round_id, **fields)


def test_a_side_wager_after_the_close() -> None:
    found = run_night("wager_after_close", placed("+10.400", "r1")).one
    assert (found["round_id"], found["wager_id"], found["severity"]) == ("r1", "r1-p1-pair_plus", "critical")
    assert found["message"].startswith(
        "The Pair Plus wager of 5.00 USD was placed at 15:00:10.400Z, after bets had closed at 15:00:10.000Z:"
    )
    assert found["citation"] == "filing keystone-tcp-2026; cf. 58 Pa. Code § 816a.1"


def test_an_ante_after_the_first_player_card_where_no_close_is_given() -> None:
    late = placed("+11.101", "r1", bets_closed_at=None)
    found = run_night("wager_after_close", late).one
    assert found["wager_id"] == "r1-p1-pair_plus"
    assert "after the first player card was read" in found["message"]


def test_wagers_in_time() -> None:
    assert not raised(
        "wager_after_close",
        placed("+10.000", "at-the-close"),
        placed("+10", "whole-seconds"),
        placed("+10.900", "close-in-whole-seconds", bets_closed_at="+10"),
        placed("+25.000", "a-play", kind="play"),
        placed("+60.000", "a-late-play", kind="play"),
        placed(None, "no-time"),
        placed("+10.400", "rejected", wager={"status": "rejected"}),
        placed("+11.100", "at-the-first-card", bets_closed_at=None),
        placed("+12.000", "between-card-and-close", bets_closed_at="+13.000"),
        placed("+60.000", "neither-close-nor-card", bets_closed_at=None, readings=[]),
    )


def test_only_the_dealers_cards_are_no_deal_to_the_player() -> None:
    blind = placed("+60.000", "r1", bets_closed_at=None, readings=[], status="open")
    covered = run_night("wager_after_close", blind).covered("wager_after_close")
    assert covered["examined"] == 0
    assert "neither a close nor a player card is timed" in covered["reason"]


def test_a_test_players_late_wager_is_info() -> None:
    late = make_round(participants=[player({"kind": "ante", "stake": "5.00", "placed_at": "+12.000"}, play_mode="test")])
    assert run_night("wager_after_close", late).findings["severity"].to_list() == ["info"]


def cancelled(round_id: str, **fields: Any) -> Row:
    return make_round(wagers=[("ante", "10.00"), ("pair_plus", "5.00", None, None)], round_id=round_id, **fields)


def with_status(told: Row, wager: int, status: str) -> Row:
    told["participants"][0]["wagers"][wager]["status"] = status
    return told


def test_a_cancelled_wager_that_no_void_covers() -> None:
    told = with_status(cancelled("r1"), 1, "cancelled")
    assert raised("cancelled_without_void", told) == [("r1", "r1-p1-pair_plus")]


def test_cancelled_wagers_that_a_void_covers_and_rejected_ones() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+28.000", "hand_ids": [], "player_ids": [], "wager_ids": []}
    assert not raised(
        "cancelled_without_void",
        with_status(cancelled("r1", status="voided", void={**void, "scope": "round"}), 1, "cancelled"),
        with_status(cancelled("r2", void={**void, "scope": "part", "player_ids": ["p1"]}), 1, "cancelled"),
        with_status(cancelled("r3", void={**void, "scope": "part", "wager_ids": ["r3-p1-pair_plus"]}), 1, "cancelled"),
        with_status(cancelled("r4", void={**void, "scope": "part", "hand_ids": ["dealer"]}), 1, "cancelled"),
        with_status(cancelled("r5"), 1, "rejected"),
        cancelled("r6"),
    )


def test_a_part_void_of_another_wager_covers_nothing_else() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+28.000", "scope": "part", "wager_ids": ["r1-p1-ante"]}
    assert raised("cancelled_without_void", with_status(cancelled("r1", void=void), 1, "cancelled")) == [("r1", "r1-p1-pair_plus")]


def test_each_finding_has_its_own_id() -> None:
    ran = run_night("wager_after_close", placed("+10.400", "r1"), placed("+10.400", "r2"))
    assert ran.findings["finding_id"].n_unique() == 2
    assert ran.findings.select(pl.col("finding_id").str.len_chars()).to_series().to_list() == [32, 32]
