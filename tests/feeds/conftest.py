from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from pipeline.core.schema import CHUNK_TABLES, CHUNK_WAGERS
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.delivery import Delivery, read_delivery

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROUND: dict[str, Any] = {
    "schema": "round-log/1",
    "round_id": "R1",
    "studio_id": "s1",
    "table_id": "T1",
    "game": "three_card_poker",
    "sequence": 1,
    "dealer_id": "D1",
    "deck_id": "red",
    "status": "settled",
    "opened_at": "2026-11-03T15:00:00.000Z",
    "bets_closed_at": "2026-11-03T15:00:12.000Z",
    "verified_at": "2026-11-03T15:00:28.600Z",
    "verified_by": "D1",
    "posted_at": "2026-11-03T15:00:28.900Z",
    "card_readings": [
        {"seq": 1, "to": "H1", "position": 1, "card": "Qs", "source": "scanner", "read_at": "2026-11-03T15:00:13.700Z"},
        {"seq": 2, "to": "dealer", "position": 1, "card": "9d", "source": "scanner", "read_at": "2026-11-03T15:00:25.600Z"},
    ],
    "hands": [{"hand_id": "H1", "cards": ["Qs", "8c", "3h"]}],
    "dealer_hand": ["9d", "2s", "Qh"],
    "participants": [
        {
            "player_id": "p1",
            "operator_id": "op-1",
            "hand_id": "H1",
            "currency": "USD",
            "decision": "play",
            "decided_at": "2026-11-03T15:00:21.375Z",
            "decided_by": "player",
            "wagers": [
                {"wager_id": "w1", "kind": "ante", "stake": "10.00", "placed_at": "2026-11-03T15:00:08.394Z", "paid": "0.00"},
                {"wager_id": "w2", "kind": "play", "stake": "10.00", "placed_at": "2026-11-03T15:00:21.375Z", "paid": "0.00"},
            ],
        }
    ],
}


@pytest.fixture
def a_round() -> Callable[..., dict[str, Any]]:
    """A round to change: keyword arguments replace fields, ``...`` takes one away."""

    def make(**changes: Any) -> dict[str, Any]:
        made = copy.deepcopy(ROUND) | changes
        return {name: value for name, value in made.items() if value is not ...}

    return make


@pytest.fixture
def a_line(a_round: Callable[..., dict[str, Any]]) -> Callable[..., bytes]:
    """The same as a compact line without its line feed."""
    return lambda **changes: json.dumps(a_round(**changes), separators=(",", ":")).encode()


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Delivery]:
    """Reads files given by name and content (bytes, or a list of lines or records), in small blocks unless told otherwise."""
    counter = iter(range(1_000_000))

    def as_bytes(content: Any) -> bytes:
        if isinstance(content, bytes):
            return content
        return b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in content)

    def run(files: Any, **options: Any) -> Delivery:
        number = next(counter)
        folder = tmp_path / f"in{number}"
        folder.mkdir()
        for name, content in (files if isinstance(files, dict) else {"a.ndjson": files}).items():
            (folder / name).write_bytes(as_bytes(content))
        options.setdefault("limits", ReadLimits(block_bytes=512))
        days = options.pop("gaming_days", {})
        return read_delivery([folder], days, tmp_path / f"stage{number}", **options)

    return run


@pytest.fixture
def tables() -> Callable[..., dict[str, pl.DataFrame]]:
    """All chunks of a delivery, put together by table."""

    def gather(delivery: Delivery, target_wagers: int = CHUNK_WAGERS) -> dict[str, pl.DataFrame]:
        chunks = [chunk for partition in delivery.stage.partitions() for chunk in delivery.stage.chunks(partition, target_wagers)]
        return {table.name: pl.concat([table.empty(), *(getattr(chunk, table.name) for chunk in chunks)]) for table in CHUNK_TABLES}

    return gather


@pytest.fixture
def books() -> Callable[[Delivery], dict[str, Any]]:
    """The books of a delivery's only file; they must balance."""

    def one(delivery: Delivery) -> dict[str, Any]:
        (row,) = delivery.source_files.to_dicts()
        assert row["records"] == row["accepted"] + row["repeats"] + row["quarantined"] + row["other_day"]
        assert row["lines"] == row["records"] + row["blank"]
        return row

    return one
