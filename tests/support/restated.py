"""Deliveries into a lake, one after the other, and what the lake holds then."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.ask.query import connect
from pipeline.audit import Outcome, Request, audit
from pipeline.lake import manifest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Content = dict[tuple[str, str, str], str]


def content(lake: Path) -> Content:
    """Studio, day and table to the digest of what it holds, without the run and the files."""
    state = manifest.read_state(lake)
    chain = {one.number: one for one in manifest.chain(lake, state)}
    assert state is not None
    return {
        (key.studio_id, key.gaming_day.isoformat(), name): facts.content_sha256
        for key in state.partitions
        for name, facts in manifest.by_day(chain[key.number])[key.studio_id, key.gaming_day].tables.items()
        if facts.rows
    }


def ask(lake: Path, sql: str) -> list[tuple[Any, ...]]:
    with connect(lake) as con:
        return con.sql(sql).fetchall()


@dataclass
class Lake:
    """A lake, the filings that it is judged by, and deliveries into it, one a call."""

    root: Path
    filings: Path
    files: Path
    options: dict[str, Any] = field(default_factory=dict)
    count: int = 0

    def deliver(self, *lines: Any, name: str | None = None, **options: Any) -> Outcome:
        """Audits one file with these lines (bytes, or records)."""
        self.count += 1
        path = self.files / (name or f"{self.root.name}-{self.count}.ndjson")
        path.write_bytes(b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in lines))
        return self.deliver_files([path], **options)

    def deliver_files(self, paths: Sequence[Path], **options: Any) -> Outcome:
        return audit(Request(tuple(paths), **{"filings": self.filings, "lake": self.root, **self.options, **options}))

    def content(self) -> Content:
        return content(self.root)

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        return ask(self.root, sql)


@dataclass(frozen=True)
class Log:
    """A simulated log of two studios: its units (lines that only make sense together) and the folder of filings."""

    units: tuple[tuple[bytes, ...], ...]
    filings: Path

    @property
    def lines(self) -> list[bytes]:
        return [line for unit in self.units for line in unit]


def cut(log: Log, seed: int) -> list[list[bytes]]:
    """The log in two to four deliveries in any order, with units that come more than once."""
    dice = random.Random(seed)  # noqa: S311
    parts: list[list[tuple[bytes, ...]]] = [[] for _ in range(dice.randint(2, 4))]
    by_time = dice.random() < 0.5
    for number, unit in enumerate(log.units):
        at = number * len(parts) // len(log.units) if by_time else dice.randrange(len(parts))
        parts[at].append(unit)
        while dice.random() < 0.2:
            parts[dice.randrange(len(parts))].append(unit)
    for part in parts:
        dice.shuffle(part)
    dice.shuffle(parts)
    return [[line for unit in part for line in unit] for part in parts if part]


def a_round(round_id: str = "R1", at: str = "2026-11-03T15:00:00Z", paid: str = "0.00", **changes: Any) -> dict[str, Any]:
    """A round of studio s1, for which nothing is filed: its gaming day is the UTC date."""
    times = {name: at.replace(":00Z", f":{second}Z") for name, second in (("placed", "08"), ("closed", "12"), ("posted", "29"))}
    wagers = [{"wager_id": f"{round_id}-w1", "kind": "ante", "stake": "10.00", "placed_at": times["placed"], "paid": paid}]
    person = {"player_id": "p1", "operator_id": "op-1", "hand_id": "H1", "currency": "USD", "decision": "fold", "wagers": wagers}
    record: dict[str, Any] = {
        "schema": "round-log/1", "round_id": round_id, "studio_id": "s1", "table_id": "T1", "game": "three_card_poker", "dealer_id": "D1",
        "deck_id": "red", "status": "settled", "opened_at": at, "bets_closed_at": times["closed"], "posted_at": times["posted"],
        "card_readings": [], "hands": [{"hand_id": "H1", "cards": ["Qs", "8c", "3h"]}], "dealer_hand": ["9d", "2s", "Qh"],
        "participants": [person],
    }  # fmt: skip
    return {name: value for name, value in (record | changes).items() if value is not ...}
