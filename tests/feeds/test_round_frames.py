from __future__ import annotations

from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.core.schema import CHUNK_TABLES
from pipeline.feeds.blocks import ReadLimits


def test_the_frames_have_the_columns_of_their_tables(a_round: Any, read: Any) -> None:
    delivery = read([a_round()])
    (chunk,) = delivery.stage.chunks(delivery.stage.partitions()[0])
    for table in CHUNK_TABLES:
        assert getattr(chunk, table.name).schema == table.schema


def test_a_round_with_nothing_but_what_it_must_have(read: Any, tables: Any) -> None:
    bare = {"round_id": "R1", "studio_id": "s1", "status": "open", "posted_at": "2026-11-03T15:00:00Z"}
    nulls = (
        bare
        | {"round_id": "R2"}
        | dict.fromkeys(
            (
                "schema",
                "game",
                "table_id",
                "void",
                "displayed",
                "card_readings",
                "hands",
                "dealer_hand",
                "participants",
                "meters",
                "stream_outages",
            )
        )
    )
    got = tables(read([bare, nulls]))
    assert got["rounds"]["game"].to_list() == ["three_card_poker"] * 2
    assert got["hands"].select("hand_id", "is_dealer", "cards").rows() == [("dealer", True, None)] * 2
    assert got["rounds"]["has_void"].to_list() == [False, False]


def test_defaults_are_filled_in(a_round: Any, read: Any, tables: Any) -> None:
    got = tables(read([a_round()]))
    assert got["participants"]["play_mode"].to_list() == ["real"]
    assert got["wagers"].select("status", "funding", "play_mode", "bonus_paid").row(0) == ("accepted", "cash", "real", None)


def test_every_hand_that_is_named_has_a_row(a_round: Any, read: Any, tables: Any) -> None:
    readings = [{"seq": 1, "to": "H9"}, {"seq": 2, "to": "H1"}, {"seq": 3, "to": None}, {"seq": 4, "to": "dealer"}]
    people = [{"player_id": "a", "hand_id": "H8"}, {"player_id": "b", "hand_id": None}, {"player_id": "c", "hand_id": "H9"}]
    got = tables(read([a_round(card_readings=readings, participants=people)]))
    hands = got["hands"]
    assert hands.select("hand_key", "hand_id").rows() == [(0, "dealer"), (1, "H1"), (2, "H9"), (3, "H8")]
    assert hands["cards"].is_null().to_list() == [False, False, True, True]
    assert got["card_readings"].select("reading_no", "hand_key").rows() == [(0, 2), (1, 1), (2, None), (3, 0)]
    assert got["participants"]["hand_key"].to_list() == [3, None, 2]


def test_a_hand_posted_twice_alike_is_one_and_unlike_has_too_many_cards(a_round: Any, read: Any, tables: Any) -> None:
    hands = [
        {"hand_id": "H1", "cards": ["Qs", "8c", "3h"]}, {"hand_id": "H1", "cards": ["Qs", "8c", "3h"]},
        {"hand_id": "H2", "cards": ["As"]}, {"hand_id": "H2", "cards": ["Ks"]}, {"hand_id": None, "cards": ["2c"]}, {"cards": ["2c"]},
    ]  # fmt: skip
    got = tables(read([a_round(hands=hands)]))["hands"].filter(~pl.col("is_dealer"))
    assert got.select("hand_id", "cards").rows() == [("H1", ["Qs", "8c", "3h"]), ("H2", ["As", "Ks"]), (None, ["2c"]), (None, ["2c"])]


def test_a_card_that_is_null_was_not_read(a_round: Any, read: Any, tables: Any) -> None:
    got = tables(read([a_round(dealer_hand=["9d", None, "Qh"], hands=[{"hand_id": "H1", "cards": []}, {"hand_id": "H2"}])]))
    assert got["hands"]["cards"].to_list() == [["9d", "??", "Qh"], [], None]


def _person(player: str | None, wager: str, **more: Any) -> dict[str, Any]:
    made = {"player_id": player, "operator_id": "op-1", "hand_id": "H1", "currency": "USD", **more}
    return made | {"wagers": [{"wager_id": wager, "kind": "ante", "stake": "1"}]}


def test_entries_of_one_participant_are_one(a_round: Any, read: Any, tables: Any) -> None:
    people = [
        _person("a", "w1", decision="fold"), _person("b", "w2"), _person("a", "w3", session_id="", decided_by="player", currency="EUR"),
        _person("a", "w4", session_id="x"), _person(None, "w5"), _person(None, "w6"),
    ]  # fmt: skip
    got = tables(read([a_round(participants=people)]))
    persons = got["participants"]
    assert persons.select("participant_key", "player_id", "decision", "decided_by", "currency").rows() == [
        (0, "a", "fold", "player", "USD"), (1, "b", None, None, "USD"), (2, "a", None, None, "USD"),
        (3, None, None, None, "USD"), (4, None, None, None, "USD"),
    ]  # fmt: skip
    assert got["wagers"].select("wager_id", "participant_key").rows() == [("w1", 0), ("w2", 1), ("w3", 0), ("w4", 2), ("w5", 3), ("w6", 4)]
    assert got["wagers"]["currency"][2] == "EUR"


def test_a_wager_without_an_id_is_numbered_and_a_repeated_id_is_told_apart(a_round: Any, read: Any, tables: Any) -> None:
    at = "2026-11-03T15:00:0{}Z".format
    wagers = [
        {"wager_id": "w", "kind": "ante", "stake": "1", "placed_at": at(5)}, {"kind": "play", "stake": "2"},
        {"wager_id": "w", "kind": "pair_plus", "stake": "3", "placed_at": at(4)}, {"wager_id": "w", "kind": "x", "stake": "4"},
        {"wager_id": "v", "kind": "x", "stake": "5"}, {"wager_id": "v", "kind": "x", "stake": "6"},
        {"wager_id": "v#2", "kind": "x", "stake": "7"},
    ]  # fmt: skip
    got = tables(read([a_round(participants=[{"player_id": "p", "wagers": wagers}]), a_round(round_id="R2")]))["wagers"]
    mine = got.filter(pl.col("round_id") == "R1").select("wager_id", "id_repeated", "stake").rows()
    assert mine == [
        ("w#2", True, Decimal(1)), ("#2", False, Decimal(2)), ("w", False, Decimal(3)), ("w#3", True, Decimal(4)),
        ("v", False, Decimal(5)), ("v#2", True, Decimal(6)), ("v#2#2", True, Decimal(7)),
    ]  # fmt: skip
    assert not got.filter(pl.col("round_id") == "R2")["id_repeated"].any()


def test_displayed_void_outages_and_meters(a_round: Any, read: Any, tables: Any) -> None:
    made = a_round(
        displayed={
            "read_at": "2026-11-03T14:59:00Z", "decks": 2,
            "odds": [
                {"kind": "pair_plus", "line": "flush", "price": "4 to 1"},
                {"operator_id": "op-1", "kind": "pair_plus", "line": "pair", "price": "1 to 1"},
            ],
            "limits": [{"kind": "ante", "currency": "USD", "min": "5", "max": "500.00"}],
        },
        void={"reason": "misdeal", "authorised_by": "S1",
              "at": "2026-11-03T15:01:00Z", "scope": "part", "hand_ids": ["H1"], "player_ids": []},
        stream_outages=[{"from": "2026-11-03T15:00:00Z", "to": None}, {"from": "2026-11-03T15:00:01+01:00", "to": "2026-11-03T15:00:05Z"}],
        meters=[{"meter_id": "m", "kind": "progressive", "seq": 4, "before": "10", "contribution": "0.5",
                 "paid": "0", "after": "10.5", "currency": "USD"}],
    )  # fmt: skip
    got = tables(read([a_round(round_id="R0"), made]))
    assert got["displayed"].select("what", "line", "max", "decks").rows() == [
        ("odds", "flush", None, None), ("odds", "pair", None, None), ("limits", None, Decimal(500), None), ("decks", None, None, 2),
    ]  # fmt: skip
    row = got["rounds"].row(1, named=True)
    assert (row["has_void"], row["void_scope"], row["void_hand_ids"], row["void_player_ids"], row["void_wager_ids"]) == (
        True,
        "part",
        ["H1"],
        [],
        None,
    )
    assert [outage["to"] is None for outage in row["stream_outages"]] == [True, False]
    assert row["stream_outages"][1]["from"].hour == 14
    assert got["rounds"]["stream_outages"][0] is None
    assert got["meters"].select("meter_no", "after", "reseed").rows() == [(0, Decimal("10.5"), None)]


def test_a_bad_time_in_an_outage_and_in_what_was_displayed(a_round: Any, read: Any) -> None:
    bad = [
        a_round(stream_outages=[{"from": "2026-11-03T15:00:00"}]),
        a_round(displayed={"read_at": "now", "decks": 1}),
        a_round(void={"at": "x"}),
    ]
    reasons = read(bad, limits=ReadLimits()).quarantine().collect()["reason"].to_list()
    assert [reason.split(":")[0] for reason in reasons] == ["stream_outages[0].from", "displayed.read_at", "void.at"]


def test_a_bad_time_in_what_was_displayed_is_seen_though_nothing_was(a_round: Any, read: Any) -> None:
    assert read([a_round(displayed={"read_at": "now"})]).quarantine().collect().height == 1


def test_chunks_of_any_size_hold_the_same_rows_and_keys(a_round: Any, read: Any, tables: Any) -> None:
    rounds = [
        a_round(round_id=f"R{n:02d}", opened_at=f"2026-11-03T{10 + n % 5}:00:{n:02d}Z", studio_id=f"s/{n % 2}\n..") for n in range(30)
    ]
    delivery = read(rounds)
    assert delivery.stage.partitions() == sorted(delivery.stage.partitions())
    whole = tables(delivery)
    assert whole["wagers"].height == 60
    for target in (1, 3, 7, 20):
        for name, frame in tables(delivery, target).items():
            assert_frame_equal(frame, whole[name])
    sizes = [chunk.wagers.height for chunk in delivery.stage.chunks(delivery.stage.partitions()[0], 4)]
    assert max(sizes) <= 6
    assert len(sizes) > 5
    mine = whole["rounds"].filter(pl.col("studio_id") == "s/0\n..")
    assert mine["round_key"].to_list() == list(range(15))
    assert mine["dated_at"].is_sorted()


@pytest.mark.parametrize("last_hour", [10, 11])
def test_no_small_chunk_is_left_over(a_round: Any, read: Any, last_hour: int) -> None:
    hours = [10] * 20 + [last_hour]
    delivery = read([a_round(round_id=f"R{n:02d}", opened_at=f"2026-11-03T{hour}:00:{n:02d}Z") for n, hour in enumerate(hours)])
    (night,) = delivery.stage.partitions()
    sizes = {target: [chunk.wagers.height for chunk in delivery.stage.chunks(night, target)] for target in (40, 20)}
    assert sizes == {40: [42], 20: [22, 20]}
