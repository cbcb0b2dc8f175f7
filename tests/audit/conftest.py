from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.simulate import Settings, simulate
from tests.support.restated import Content, Lake, Log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Three days of one studio and one of another: with restated and conflicting rounds, gaps, old open rounds, and lines cut off."""
    out = tmp_path_factory.mktemp("log")
    filings = out / "filings"
    told: list[bytes] = []
    faults = {"conflicting_round": 0.1, "round_restated": 0.15, "sequence_gap": 0.1, "open_round_aged": 0.15, "overlapping_rounds": 0.1}
    for studio, days, seed in (("studio-3", 3, 5), ("studio-9", 1, 6)):
        simulate(Settings(seed=seed, rounds=14 * days, days=days, players=2, faults=faults, studio_id=studio), out / studio)
        for file in sorted((out / studio / "filings").iterdir()):
            filings.mkdir(exist_ok=True)
            text = file.read_text()
            (filings / f"{studio}-{file.name}").write_text(text.replace('id = "', f'id = "{studio}-', 1))
        told += (out / studio / "rounds.ndjson").read_bytes().splitlines()
    units: dict[str, list[bytes]] = {}
    for number, line in enumerate(told):
        record = json.loads(line)
        cut_off = line[: line.index(b'"participants"')] if number % 17 == 9 and "revision" not in record else line
        of = f"{record['studio_id']} {record['round_id']} {record.get('revision')}"
        units.setdefault(of, []).append(cut_off)
    shutil.rmtree(out / "studio-3")
    return Log(tuple(map(tuple, units.values())), filings)


@pytest.fixture
def lake_of(tmp_path: Path) -> Callable[..., Lake]:
    def make(filings: Path, name: str = "lake", **options: Any) -> Lake:
        files = tmp_path / "in"
        files.mkdir(exist_ok=True)
        return Lake(tmp_path / name, filings, files, options)

    return make


@pytest.fixture(scope="session")
def whole(log: Log, tmp_path_factory: pytest.TempPathFactory) -> Content:
    """What one delivery of the whole log ends in."""
    folder = tmp_path_factory.mktemp("whole")
    lake = Lake(folder / "lake", log.filings, folder)
    lake.deliver(*log.lines)
    return lake.content()
