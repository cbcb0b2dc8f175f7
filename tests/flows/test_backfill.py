from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from distributed import Client, LocalCluster

from flows.backfill import Spreading, runner
from pipeline.audit import Request, audit
from pipeline.backfill import backfill
from pipeline.core.errors import ResettleError
from pipeline.lake import verify, writing
from pipeline.lake.working_copy import working_copy
from tests.support.command_line import resettle
from tests.support.lake import parquet_bytes
from tests.support.restated import content

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.audit import Outcome
    from pipeline.prepare import Prepare
    from pipeline.reopened import Night
    from tests.support.store import Bucket

ROOT = Path(__file__).parents[2]
LATER = 'id = "keystone-main-later"'
OWN_CHECK = """-- check: own
-- title: A round of ours
-- severity: info
-- family: own
-- reach: round
-- question: Which rounds are there?
-- examines: current_rounds

SELECT table_id, round_id, 'a round' AS message FROM current_rounds
"""


@dataclass
class Here:
    """Prepares nights in this process, and keeps which it was given; stopped after ``most`` of them."""

    most: int = 99
    given: list[Night] = field(default_factory=list)
    ready: int = 0

    def __call__(self, prepare: Prepare, nights: Sequence[tuple[Night, int]], ready: int) -> None:
        self.ready = ready
        for night, wagers in nights:
            assert wagers > 0
            if len(self.given) == self.most:
                raise KeyboardInterrupt
            self.given.append(night)
            prepare(night)

    @property
    def days(self) -> list[str]:
        return [day.isoformat() for _, day in self.given]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Request:
    """Three nights of a studio with their wallet; its filing for two tables is another one from the third night on."""
    folder = tmp_path_factory.mktemp("nights")
    words = ["--seed", "8", "--rounds", "45", "--days", "3", "--fault", "all=0.02"]
    assert resettle("simulate", "--out", folder, *words).exit_code == 0
    main = folder / "filings" / "keystone-main-2026.toml"
    told = main.read_text()
    early = told.replace("effective_from = 2026-01-01", "effective_from = 2026-01-01\neffective_to = 2026-11-01", 1)
    later = told.replace('id = "keystone-main-2026"', LATER, 1).replace("effective_from = 2026-01-01", "effective_from = 2026-11-02", 1)
    assert len({told, early, later}) == 3
    main.write_text(early)
    main.with_name("keystone-main-later.toml").write_text(later)
    return Request((folder / "rounds.ndjson",), folder / "filings", folder / "lake", wallet=(folder / "wallet.ndjson",))


@pytest.fixture(scope="module")
def alone(asked: Request) -> Path:
    """The lake that one machine makes of it."""
    audit(asked)
    return asked.lake


@pytest.mark.exhaustive
def test_a_worker_is_killed_in_the_middle_and_the_lake_is_the_same_to_the_byte(
    sample: Path, audited: tuple[Path, Outcome], tmp_path: Path
) -> None:
    totals, roster = sample / "control-totals.csv", sample / "roster.csv"
    night = Request((sample / "rounds.ndjson",), sample / "filings", tmp_path / "lake", control_totals=totals, roster=roster)
    said: list[tuple[str, int]] = []

    def tries() -> int:
        return len(list((night.lake / "staging").glob("*/tries/*")))

    with cluster_here() as cluster, Client(cluster) as client:

        def kill_the_busy_one() -> None:
            while not tries():
                time.sleep(0.02)
            busy = next(address for address, tasks in client.processing().items() if tasks)
            os.kill(next(nanny.pid for nanny in cluster.workers.values() if nanny.worker_address == busy), signal.SIGKILL)

        with ThreadPoolExecutor(1) as beside:
            killed = beside.submit(kill_the_busy_one)
            backfill(night, Spreading(client, lambda line: said.append((line, tries()))))
            killed.result()
    ((line, given_up),) = said
    assert line == "1 of 1: studio-3 2026-10-31, 331 rounds; about 0:00:00 left"
    assert given_up == 1
    assert parquet_bytes(night.lake) == parquet_bytes(audited[0])
    assert (verify(night.lake).strays, list((night.lake / "staging").iterdir())) == ((), [])


@pytest.mark.exhaustive
def test_many_nights_on_two_workers_of_which_one_dies_and_the_lake_is_the_same_to_the_byte(
    asked: Request, alone: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    with cluster_here() as cluster, Client(cluster) as client:

        def say(line: str) -> None:
            said.append(line)
            if len(said) == 1:
                busy = next(address for address, tasks in client.processing().items() if tasks)
                os.kill(next(nanny.pid for nanny in cluster.workers.values() if nanny.worker_address == busy), signal.SIGKILL)

        assert not backfill(replace(asked, lake=tmp_path / "lake"), Spreading(client, say)).repeated
    assert parquet_bytes(tmp_path / "lake") == parquet_bytes(alone)
    assert [line.split(":")[0] for line in said] == ["1 of 3", "2 of 3", "3 of 3"]


@pytest.mark.exhaustive
def test_a_backfill_goes_on_where_it_was_stopped_and_leaves_alone_what_is_current(
    asked: Request, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace(asked, lake=tmp_path / "lake")
    with pytest.raises(KeyboardInterrupt):
        backfill(asked, Here(most=2))
    assert not (tmp_path / "lake" / "current.json").exists()
    (settlements,) = (tmp_path / "lake" / "staging").rglob("settlements/*/gaming_day=2026-10-31/*.parquet")
    settlements.write_bytes(settlements.read_bytes()[:-1])
    with monkeypatch.context() as patch:
        patch.setattr("pipeline.stages.read_delivery", None)
        backfill(asked, again := Here())
    assert (again.days, again.ready) == (["2026-10-31", "2026-11-02"], 1)
    assert parquet_bytes(asked.lake) == parquet_bytes(alone)
    assert backfill(asked, once_more := Here()).repeated
    assert once_more.given == []


@pytest.mark.exhaustive
def test_only_what_a_changed_filing_or_check_touches_is_done_again(asked: Request, alone: Path, tmp_path: Path) -> None:
    filings, lake = shutil.copytree(asked.filings, tmp_path / "filings"), shutil.copytree(alone, tmp_path / "lake")
    file = filings / "keystone-main-later.toml"
    changed = file.read_text().replace("forfeited_by_fold = true", "forfeited_by_fold = false", 1).replace(LATER, f"{LATER}\nrevision = 2")
    file.write_text(changed)
    asked = replace(asked, filings=filings, lake=lake)
    before = content(lake)
    assert not backfill(asked, touched := Here()).repeated
    assert touched.days == ["2026-11-02"]
    assert content(lake) != before
    assert audit(replace(asked, lake=tmp_path / "fresh")).report.rounds
    assert content(lake) == content(tmp_path / "fresh")
    checks = tmp_path / "checks"
    checks.mkdir()
    (checks / "own.sql").write_text(OWN_CHECK)
    backfill(replace(asked, checks=checks), all_of_them := Here())
    assert all_of_them.days == ["2026-10-31", "2026-11-01", "2026-11-02"]
    assert backfill(replace(asked, checks=checks), Here()).repeated
    verify(lake)


def test_another_audit_in_between_sweeps_away_what_was_prepared(asked: Request, tmp_path: Path) -> None:
    asked = replace(asked, lake=tmp_path / "lake")
    with pytest.raises(KeyboardInterrupt):
        backfill(asked, Here(most=0))
    assert list((tmp_path / "lake" / "staging").iterdir())
    with writing(asked.lake):
        assert list((tmp_path / "lake" / "staging").iterdir()) == []


def test_a_worker_with_other_filings_is_refused(asked: Request, tmp_path: Path) -> None:
    filings = shutil.copytree(asked.filings, tmp_path / "filings")

    def meddle(prepare: Prepare, nights: Sequence[tuple[Night, int]], ready: int) -> None:
        (filings / "keystone-main-later.toml").unlink()
        Here()(prepare, nights, ready)

    with pytest.raises(ResettleError, match="this worker's filings is not that of the run"):
        backfill(replace(asked, filings=filings, lake=tmp_path / "lake"), meddle)


@pytest.mark.exhaustive
def test_the_command_gives_the_nights_to_a_scheduler_that_runs_and_a_worker_dies(asked: Request, alone: Path, tmp_path: Path) -> None:
    told, words = tmp_path / "scheduler.json", ["--no-dashboard", "--scheduler-file", str(tmp_path / "scheduler.json")]
    started = [dask("scheduler", *words, "--port", "0", "--host", "127.0.0.1")]
    try:
        started += [dask("worker", *words, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path)) for _ in range(2)]
        while not told.exists():
            time.sleep(0.1)
        address = json.loads(told.read_text())["address"]
        ended = commanded(asked, tmp_path, "--cluster", address, on_line=started[1].kill)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert ended == ["1 of 3", "2 of 3", "3 of 3"]
    assert parquet_bytes(tmp_path / "lake") == parquet_bytes(alone)


@pytest.mark.exhaustive
def test_the_command_starts_workers_of_its_own_and_says_where_it_is_and_nothing_else(
    asked: Request, alone: Path, tmp_path: Path, bucket: Bucket
) -> None:
    assert commanded(asked, tmp_path, "--workers", "2") == ["1 of 3", "2 of 3", "3 of 3"]
    assert parquet_bytes(tmp_path / "lake") == parquet_bytes(alone)
    assert commanded(asked, tmp_path, "--workers", "2") == []
    lake = bucket.address("lake")
    log = bucket.put("rounds.ndjson", asked.inputs[0].read_bytes())
    into_a_store = {"log": str(log), "lake": str(lake)}
    assert commanded(asked, tmp_path, "--workers", "2", **into_a_store) == ["1 of 3", "2 of 3", "3 of 3"]
    assert parquet_bytes(working_copy(lake)) == parquet_bytes(alone)
    bucket.machine("two")
    assert commanded(asked, tmp_path, "--workers", "2", **into_a_store) == []


@pytest.mark.exhaustive
def test_a_scheduler_that_is_not_there_is_told_in_words() -> None:
    with pytest.raises(ResettleError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers \(start one with: dask scheduler"):
        runner("tcp://127.0.0.1:9", 1)


def cluster_here() -> LocalCluster:
    """A scheduler and two workers, each a process of its own."""
    return LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=None, silence_logs=50)


def dask(*words: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_LOGGING__DISTRIBUTED": "critical"}
    return subprocess.Popen([sys.executable, "-m", "dask", *words], env=environment, stderr=subprocess.DEVNULL)  # noqa: S603


def commanded(
    asked: Request, folder: Path, *words: str, lake: str = "lake", log: str = "", on_line: Callable[[], None] = lambda: None
) -> list[str]:
    """How far ``python -m flows backfill`` said it was, into a lake in a folder; nothing else may be said on standard error."""
    paths = ["--wallet", str(asked.wallet[0]), "--filings", str(asked.filings), "--lake", lake]
    command = [sys.executable, "-m", "flows", "backfill", log or str(asked.inputs[0]), *paths, *words]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")} | {"PYTHONPATH": str(ROOT)}
    said = []
    with subprocess.Popen(  # noqa: S603
        command, cwd=folder, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line)
            on_line()
    assert process.returncode == 0, said
    assert all(re.fullmatch(r"\d of 3: studio-\d \d{4}-\d\d-\d\d, \d+ rounds; about [\d:]+ left\n", line) for line in said), said
    return [line.split(":")[0] for line in said]
