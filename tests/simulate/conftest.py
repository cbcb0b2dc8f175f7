"""Two simulated deliveries, dealt once: an honest one of two days, and one with every fault in it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.simulate import Settings, Simulated, simulate
from pipeline.simulate.faults import FAULTS

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]


@dataclass(frozen=True)
class Delivery:
    """A delivery read back."""

    done: Simulated
    rounds: list[Row]
    wallet: list[Row]
    truth: list[Row]


def read_back(done: Simulated, out: Path) -> Delivery:
    told = ([json.loads(line) for line in (out / f"{name}.ndjson").read_text().splitlines()] for name in ("rounds", "wallet", "truth"))
    return Delivery(done, *told)


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Delivery:
    out = tmp_path_factory.mktemp("honest")
    return read_back(simulate(Settings(seed=11, rounds=1500, days=2, players=5), out), out)


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Delivery:
    out = tmp_path_factory.mktemp("faulty")
    rates = {name: 0.004 for name, fault in FAULTS.items() if fault.by_default}
    return read_back(simulate(Settings(seed=12, rounds=900, players=5, faults=rates), out), out)
