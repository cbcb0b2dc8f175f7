from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.feeds.blocks import ReadLimits

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def paid(a_round: Any) -> Callable[..., dict[str, Any]]:
    """A round whose ante was paid ``amount``."""

    def make(amount: str, **changes: Any) -> dict[str, Any]:
        made = a_round(**changes)
        made["participants"][0]["wagers"][0]["paid"] = amount
        return made

    return make


def standing(rounds: pl.DataFrame, wagers: pl.DataFrame) -> dict[str, tuple[bool, bool]]:
    """Amount of the ante to (is_current, conflicting) of its telling."""
    antes = wagers.filter(pl.col("kind") == "ante").select("round_key", "paid")
    return {
        f"{paid:.0f}": (current, conflicting)
        for paid, current, conflicting in rounds.join(antes, on="round_key").select("paid", "is_current", "conflicting").iter_rows()
    }


def respelled(record: dict[str, Any]) -> bytes:
    turned = json.loads(json.dumps(record), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    turned["participants"][0] |= {"session_id": None, "play_mode": "real"}
    turned["meters"] = None
    turned["participants"][0]["wagers"][0]["stake"] = 10
    turned["opened_at"] = "2026-11-03T16:00:00.000+01:00"
    return json.dumps(turned, indent=None, separators=(" , ", " : ")).encode()


def test_a_round_told_twice_alike_counts_once(a_round: Any, read: Any, tables: Any, books: Any) -> None:
    one = a_round()
    delivery = read([one, a_round(round_id="R2"), one, respelled(one), respelled(one)])
    assert (books(delivery)["accepted"], books(delivery)["repeats"]) == (2, 3)
    rounds = tables(delivery)["rounds"]
    assert rounds.sort("round_id").select("round_id", "is_current", "conflicting").rows() == [("R1", True, False), ("R2", True, False)]


def test_a_repeat_is_counted_for_the_file_that_repeats(a_round: Any, read: Any) -> None:
    files = {"a.ndjson": [a_round()], "b.ndjson": [a_round(), a_round(round_id="R2")], "c.ndjson": [respelled(a_round())]}
    assert read(files).source_files.select("accepted", "repeats").rows() == [(1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_highest_revision_counts(order: tuple[int, ...], paid: Any, read: Any, tables: Any, books: Any) -> None:
    told = [paid("1", revision=1), paid("2", revision=10), paid("3", revision=9)]
    got = tables(delivery := read([told[number] for number in order]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (False, False), "2": (True, False), "3": (False, False)}
    assert got["rounds"]["revision"].to_list() == [1, 9, 10]
    assert books(delivery)["accepted"] == 3
    for name in ("hands", "card_readings", "participants", "wagers"):
        current = got[name].join(got["rounds"].select("round_key", expected="is_current"), on="round_key")
        assert current["is_current"].to_list() == current["expected"].to_list()


def test_a_revision_counts_more_than_none(paid: Any, read: Any, tables: Any) -> None:
    got = tables(read([paid("1", revision=-5), paid("2")]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (True, False), "2": (False, False)}


def test_of_one_revision_the_latest_recording_counts(paid: Any, read: Any, tables: Any) -> None:
    told = [paid("1", revision=2, recorded_at="2026-11-04T00:00:00Z"), paid("2", revision=2, recorded_at="2026-11-05T00:00:00Z")]
    got = tables(read([*told, paid("3", revision=1, recorded_at="2026-11-06T00:00:00Z")]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (False, False), "2": (True, False), "3": (False, False)}


@pytest.mark.parametrize("same", [{}, {"revision": 4}, {"revision": 4, "recorded_at": "2026-11-04T00:00:00Z"}])
def test_two_contents_of_one_revision_conflict(same: dict[str, Any], paid: Any, read: Any, tables: Any) -> None:
    for order in itertools.permutations([paid("20", **same), paid("3", **same), paid("7", **same)]):
        got = tables(read(list(order)))
        assert standing(got["rounds"], got["wagers"]) == {"20": (True, True), "3": (False, True), "7": (False, True)}
        assert got["rounds"]["is_current"].to_list() == [True, False, False]


def test_a_conflict_keeps_each_wager_of_either_telling_once(a_round: Any, read: Any, tables: Any) -> None:
    first, second = a_round(deck_id="blue"), a_round(deck_id="red")
    more = {
        "player_id": "p2",
        "operator_id": "op-1",
        "hand_id": "H2",
        "currency": "USD",
        "wagers": [{"wager_id": "w3", "kind": "ante", "stake": "5"}],
    }
    second["participants"].append(more)
    second["hands"].append({"hand_id": "H2", "cards": ["2c", "3c", "4c"]})
    got = tables(read([second, first]))
    assert got["rounds"].select("deck_id", "is_current", "conflicting").rows() == [("blue", True, True), ("red", False, True)]
    assert got["wagers"].filter("is_current").select("wager_id", "round_key").rows() == [("w1", 0), ("w2", 0), ("w3", 1)]
    assert got["participants"].filter("is_current").select("player_id", "round_key").rows() == [("p1", 0), ("p2", 1)]
    assert got["hands"].filter("is_current").select("hand_id", "round_key").rows() == [("dealer", 0), ("H1", 0), ("H2", 1)]
    assert got["card_readings"].filter("is_current")["round_key"].unique().to_list() == [0]


def test_a_conflict_below_the_highest_revision_is_none(paid: Any, read: Any, tables: Any) -> None:
    got = tables(read([paid("1", revision=1), paid("2", revision=1), paid("3", revision=2)]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (False, False), "2": (False, False), "3": (True, False)}


def test_tellings_on_two_gaming_days(paid: Any, read: Any) -> None:
    moved = paid("2", revision=2, opened_at="2026-11-05T15:00:00Z")
    delivery = read([paid("1", revision=1), moved])
    days = {
        day: [chunk.rounds["is_current"].to_list() for chunk in delivery.stage.chunks((studio, day))]
        for studio, day in delivery.stage.partitions()
    }
    assert list(days.values()) == [[[False]], [[True]]]


@pytest.mark.parametrize("at", ["2026-11-05T15:00:00Z", "2026-11-03T19:00:00Z"])
def test_the_current_telling_comes_with_those_that_lie_elsewhere(at: str, paid: Any, read: Any) -> None:
    delivery = read(
        [paid("1", revision=1), paid("2", revision=2, opened_at=at), paid("7", round_id="R2"), paid("8", round_id="R3", opened_at=at)]
    )
    told = [one for night in delivery.stage.partitions() for one in delivery.stage.told(night, target_wagers=1)]
    (with_other,) = [one for one in told if one.elsewhere is not None]
    assert with_other.chunk.rounds["revision"].to_list() == [2]
    other = with_other.elsewhere
    assert other.rounds.select("revision", "is_current").rows() == [(1, False)]
    assert other.rounds["round_key"].max() < 0
    antes = other.wagers.filter(pl.col("kind") == "ante")
    assert antes.select("is_current", "paid").rows() == [(False, 1)]
    for name in ("hand_key", "participant_key", "wager_key"):
        assert other.wagers[name].max() < 0
    assert with_other.everything.rounds["round_key"].is_sorted()
    assert with_other.everything.wagers.height == 4


def test_equal_round_ids_of_two_studios_are_two_rounds(paid: Any, read: Any, tables: Any, books: Any) -> None:
    delivery = read([paid("1"), paid("2", studio_id="s2")])
    assert books(delivery)["accepted"] == 2
    assert tables(delivery)["rounds"]["is_current"].all()


@pytest.fixture
def deliver(read: Any) -> Callable[..., Any]:
    """Reads deliveries one after the other, each over what the ones before have published; gives the last."""

    def run(*deliveries: list[Any]) -> Any:
        chunks: list[Any] = []
        last = None
        for records in deliveries:
            last = read(records, limits=ReadLimits(), published=lambda _, chunks=chunks: chunks)
            chunks = [chunk for partition in last.stage.partitions() for chunk in last.stage.chunks(partition)]
        return last

    return run


def test_a_later_delivery_restates(paid: Any, deliver: Any, tables: Any) -> None:
    delivery = deliver([paid("1"), paid("5", round_id="R2")], [paid("2")], [paid("3")])
    got = tables(delivery)
    mine = {name: frame.filter(pl.col("round_id") == "R1") for name, frame in got.items()}
    assert standing(mine["rounds"], mine["wagers"]) == {"1": (False, False), "2": (False, False), "3": (True, False)}
    assert got["rounds"].filter(pl.col("round_id") == "R2")["is_current"].to_list() == [True]


def test_an_earlier_content_delivered_again_restates_and_stands_once(paid: Any, deliver: Any, tables: Any) -> None:
    got = tables(deliver([paid("1")], [paid("2")], [paid("1")]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (True, False), "2": (False, False)}
    assert got["rounds"].height == 2


def test_what_was_published_and_comes_again_is_a_repeat(paid: Any, deliver: Any, tables: Any, books: Any) -> None:
    first = [paid("1", revision=1), paid("2", revision=2), paid("8", round_id="R2"), paid("9", round_id="R2"), paid("5", round_id="R3")]
    once, twice = deliver(first), deliver(first, list(reversed(first)))
    assert (books(twice)["accepted"], books(twice)["repeats"]) == (0, 5)
    for name, frame in tables(once).items():
        assert_frame_equal(frame, tables(twice)[name])


@pytest.mark.parametrize(
    ("earlier", "later", "wins"),
    [
        ({"revision": 3}, {"revision": 2}, False),
        ({"revision": 2}, {"revision": 3}, True),
        ({"revision": 2}, {"revision": 2}, True),
        ({"revision": 2}, {}, True),
        ({}, {"revision": 1}, True),
        ({"recorded_at": "2026-11-05T00:00:00Z"}, {"recorded_at": "2026-11-04T00:00:00Z"}, False),
        ({"recorded_at": "2026-11-05T00:00:00Z"}, {"recorded_at": "2026-11-05T00:00:00Z"}, True),
        ({"revision": 2, "recorded_at": "2026-11-05T00:00:00Z"}, {"revision": 2, "recorded_at": "2026-11-04T00:00:00Z"}, False),
        ({"recorded_at": "2026-11-05T00:00:00Z"}, {}, True),
    ],
)
def test_a_later_delivery_counts_unless_it_is_of_a_lower_revision(
    *, earlier: dict[str, Any], later: dict[str, Any], wins: bool, paid: Any, deliver: Any, tables: Any
) -> None:
    got = tables(deliver([paid("1", **earlier)], [paid("2", **later)]))
    assert standing(got["rounds"], got["wagers"]) == {"1": (not wins, False), "2": (wins, False)}


def test_a_conflict_is_settled_by_the_next_delivery(paid: Any, deliver: Any, tables: Any) -> None:
    got = tables(deliver([paid("1"), paid("2")], [paid("2")]))
    assert got["rounds"].select("is_current", "conflicting").rows() == [(False, False), (True, False)]
    assert got["wagers"]["is_current"].to_list() == [False] * 2 + [True] * 2


def test_a_conflict_in_a_later_delivery(paid: Any, deliver: Any, tables: Any) -> None:
    got = tables(deliver([paid("1")], [paid("2"), paid("3")]))
    assert got["rounds"].select("is_current", "conflicting").rows() == [(False, False), (True, True), (False, True)]


def test_the_same_times_with_other_digits_are_a_repeat(a_round: Any, read: Any, tables: Any, books: Any) -> None:
    for order in itertools.permutations([a_round(), a_round(opened_at="2026-11-03T15:00:00Z")]):
        delivery = read(list(order))
        assert books(delivery)["repeats"] == 1
        assert tables(delivery)["rounds"]["opened_at_digits"].to_list() == [3]
