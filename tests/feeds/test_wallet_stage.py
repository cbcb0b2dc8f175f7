"""Placing entries: each belongs to one round, one studio and one gaming day, and none comes out twice."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from pipeline.core.wallet import ENTRY, WALLET
from pipeline.feeds.wallet_stage import ROUND_PLACES, STUDIO_PLACES, WalletStage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Row = dict[str, Any]

DAY, NEXT = date(2026, 11, 3), date(2026, 11, 4)
NOON = datetime(2026, 11, 3, 12, tzinfo=UTC)
HOUR = int(NOON.timestamp()) // 3600


def entry(txn_id: str, round_id: str | None = "r1", **changes: Any) -> Row:
    base = {
        "txn_id": txn_id, "type": "debit", "status": "accepted", "operator_id": "op-1", "player_id": "p1", "round_id": round_id,
        "amount": Decimal("5.00"), "currency": "USD", "at": NOON, "at_digits": 3, "source_file": "w.ndjson",
    }  # fmt: skip
    return base | changes


def place(round_id: str, studio_id: str = "a", day: date = DAY, at: datetime = NOON) -> Row:
    hour = int(at.timestamp()) // 3600
    return {"studio_id": studio_id, "round_id": round_id, "gaming_day": day, "hour": hour, "dated_us": int(at.timestamp() * 1_000_000)}


def studio(studio_id: str = "a", operators: list[str] | None = None, days: tuple[date, ...] = (DAY,), zone: str = "UTC") -> Row:
    return {
        "studio_id": studio_id,
        "timezone": zone,
        "starts_at_minutes": 360,
        "operators": operators,
        "days": list(days),
        "known_from": None,
    }


@pytest.fixture
def placed(tmp_path: Path) -> Callable[..., WalletStage]:
    def run(entries: list[Row], rounds: list[Row], studios: list[Row], published: list[Row] | None = None, **options: Any) -> WalletStage:
        told = [{"source_line": n, **one} for n, one in enumerate(entries, 1)]
        frame = pl.DataFrame([{name: one.get(name) for name in ENTRY.schema} for one in told], schema=ENTRY.schema)
        frame.write_parquet(tmp_path / "new.parquet")
        old = pl.DataFrame([{name: one.get(name) for name in WALLET.schema} for one in published or []], schema=WALLET.schema)
        old.write_parquet(tmp_path / "old.parquet")
        stage = WalletStage(tmp_path / "stage")
        stage.place(
            [tmp_path / "new.parquet"], [tmp_path / "old.parquet"] if published else [], pl.DataFrame(rounds, schema=ROUND_PLACES),
            pl.DataFrame(studios, schema=STUDIO_PLACES), [], **options,
        )  # fmt: skip
        return stage

    return run


def ids(stage: WalletStage, night: tuple[str, date], hours: tuple[int, int] | None = (0, 10**9)) -> list[str]:
    return stage.entries(night, hours)["txn_id"].sort().to_list()


def test_an_entry_belongs_to_the_gaming_day_of_its_round_however_late_it_comes(placed: Callable[..., WalletStage]) -> None:
    stage = placed([entry("t1", at=datetime(2026, 11, 4, 9, tzinfo=UTC))], [place("r1")], [studio(days=(DAY, NEXT))])
    assert ids(stage, ("a", DAY), (HOUR, HOUR)) == ["t1"]
    assert stage.nights == {("a", DAY)}


def test_one_of_an_unknown_round_belongs_to_the_gaming_day_of_its_own_time(placed: Callable[..., WalletStage]) -> None:
    early = datetime(2026, 11, 4, 5, 59, 59, tzinfo=UTC)
    stage = placed([entry("t1", "r9", at=early), entry("t2", "r9", at=early.replace(hour=6))], [place("r1")], [studio()])
    assert ids(stage, ("a", DAY), None) == ["t1"]
    assert ids(stage, ("a", NEXT), None) == ["t2"]
    assert stage.entries(("a", DAY))["before_log"].to_list() == [False]
    assert stage.entries(("a", NEXT))["before_log"].to_list() == [True]


def test_the_gaming_day_of_an_unknown_round_is_the_studios_own(placed: Callable[..., WalletStage]) -> None:
    stage = placed([entry("t1", "r9", at=datetime(2026, 11, 3, 10, 59, tzinfo=UTC))], [], [studio(zone="America/New_York")])
    assert stage.nights == {("a", date(2026, 11, 2))}


def test_of_two_studios_with_one_round_id_the_named_one_or_the_operators_is_meant(placed: Callable[..., WalletStage]) -> None:
    rounds = [place("r1", "a"), place("r1", "b")]
    told = [entry("t1", studio_id="b"), entry("t2"), entry("t3", operator_id="op-2"), entry("t4", operator_id="op-2", studio_id="a")]
    stage = placed(told, rounds, [studio("a", ["op-1"]), studio("b", ["op-2"])])
    assert ids(stage, ("a", DAY)) == ["t2", "t4"]
    assert ids(stage, ("b", DAY)) == ["t1", "t3"]


def test_a_repeat_counts_once_and_an_id_that_tells_two_things_is_marked(placed: Callable[..., WalletStage]) -> None:
    told = [
        entry("same"), entry("same"), entry("same", type="cancel"), entry("same", operator_id="op-2"),
        entry("other", "r1"), entry("other", "r2"), entry("tried", status="rejected"), entry("tried"),
    ]  # fmt: skip
    stage = placed(told, [place("r1"), place("r2")], [studio()])
    rows = stage.entries(("a", DAY), (HOUR, HOUR)).sort("source_line")
    assert rows.select("txn_id", "id_reused").rows() == [
        ("same", False), ("same", False), ("same", False), ("other", True), ("other", True), ("tried", False), ("tried", False),
    ]  # fmt: skip
    assert rows["source_line"][0] == 1
    assert stage.repeats == {"w.ndjson": 1}


def test_what_was_published_stays_and_new_repeats_of_it_count_as_such(placed: Callable[..., WalletStage]) -> None:
    old = entry("t1", studio_id="a", gaming_day=DAY, source_file="old.ndjson", source_line=7)
    stage = placed([entry("t1"), entry("t2")], [place("r1")], [studio()], [old])
    rows = stage.entries(("a", DAY), (HOUR, HOUR))
    assert sorted(rows.select("txn_id", "source_file").rows()) == [("t1", "old.ndjson"), ("t2", "w.ndjson")]
    assert stage.repeats == {"w.ndjson": 1}


def test_a_published_orphan_whose_round_has_come_moves_and_opens_both_nights(placed: Callable[..., WalletStage]) -> None:
    old = entry("t1", studio_id="a", gaming_day=NEXT, source_file="old.ndjson", source_line=7)
    stage = placed([], [place("r1")], [studio(days=(DAY, NEXT))], [old])
    assert stage.nights == {("a", DAY), ("a", NEXT)}
    assert ids(stage, ("a", DAY)) == ["t1"]
    assert not stage.holds(("a", NEXT))


def test_other_days_than_the_one_asked_for_are_counted(placed: Callable[..., WalletStage]) -> None:
    stage = placed([entry("t1"), entry("t2", "r2"), entry("t2", "r2")], [place("r1"), place("r2", day=NEXT)], [studio()], only_day=DAY)
    assert (stage.other_day, stage.repeats, stage.nights) == ({"w.ndjson": 1}, {"w.ndjson": 1}, {("a", DAY)})


def test_a_hundred_retries_of_a_hundred_rounds_come_out_once_each(placed: Callable[..., WalletStage]) -> None:
    rounds = [place(f"r{n}", name) for n in range(100) for name in ("a", "b")]
    told = [entry(f"t{n}", f"r{n}") for n in range(100)] * 100
    stage = placed(told, rounds, [studio("a"), studio("b")])
    assert stage.entries(("a", DAY), (HOUR, HOUR)).height + stage.entries(("b", DAY), (HOUR, HOUR)).height == 100
    assert stage.repeats == {"w.ndjson": 9900}
