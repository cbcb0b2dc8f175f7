from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pyarrow as pa

from pipeline.simulate import Settings, simulate
from pipeline.simulate.faults import FAULTS

if TYPE_CHECKING:
    from pathlib import Path

RATES = {name: 0.003 for name, fault in FAULTS.items() if fault.by_default}


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_one_seed_gives_the_same_bytes_whatever_the_number_of_processes(tmp_path: Path) -> None:
    for name, jobs in (("a", 1), ("b", 1), ("c", 2)):
        simulate(Settings(seed=5, rounds=60, faults=RATES, jobs=jobs), tmp_path / name)
    assert everything_in(tmp_path / "a") == everything_in(tmp_path / "b") == everything_in(tmp_path / "c")


def test_another_seed_deals_other_cards(tmp_path: Path) -> None:
    for seed in (5, 6):
        simulate(Settings(seed=seed, rounds=9), tmp_path / str(seed))
    assert (tmp_path / "5/rounds.ndjson").read_bytes() != (tmp_path / "6/rounds.ndjson").read_bytes()


def test_a_fault_leaves_the_rounds_that_it_does_not_touch_as_they_were(tmp_path: Path) -> None:
    simulate(Settings(seed=5, rounds=90), tmp_path / "honest")
    done = simulate(Settings(seed=5, rounds=90, faults={"missing_verification": 0.1}), tmp_path / "faulty")
    touched = {truth.round_id for truth in done.truths}
    before = (tmp_path / "honest/rounds.ndjson").read_text().splitlines()
    after = (tmp_path / "faulty/rounds.ndjson").read_text().splitlines()
    same = [line for line in before if not any(f'"round_id":"{round_id}"' in line for round_id in touched)]
    assert touched
    assert set(same) <= set(after)


def test_compressed_deliveries_hold_the_same_lines(tmp_path: Path) -> None:
    for compression in ("", "gz", "zst"):
        simulate(Settings(seed=5, rounds=12, compression=compression), tmp_path / f"_{compression}")
    plain = (tmp_path / "_/rounds.ndjson").read_bytes()
    assert gzip.decompress((tmp_path / "_gz/rounds.ndjson.gz").read_bytes()) == plain
    with pa.input_stream(str(tmp_path / "_zst/rounds.ndjson.zst"), compression="zstd") as stream:
        assert stream.read() == plain


def test_nothing_is_left_behind_but_the_delivery(tmp_path: Path) -> None:
    done = simulate(Settings(seed=5, rounds=6), tmp_path)
    assert sorted(done.files) == sorted(path for path in tmp_path.rglob("*") if path.is_file())


def test_about_as_many_wagers_as_asked_for(tmp_path: Path) -> None:
    done = simulate(Settings(seed=5, wagers=20_000), tmp_path)
    assert 17_000 < done.wagers < 24_000
