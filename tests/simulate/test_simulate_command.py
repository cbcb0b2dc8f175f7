from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pipeline.commands.simulate import simulate_command
from pipeline.core.errors import ResettleError
from pipeline.simulate.faults import FAULTS

if TYPE_CHECKING:
    from collections.abc import Callable


def invoke(*words: str) -> Any:
    return CliRunner().invoke(simulate_command, list(words))


def test_it_says_what_it_wrote(tmp_path: Path) -> None:
    said = invoke("--out", str(tmp_path), "--seed", "1", "--rounds", "9", "--fault", "missing_verification=1")
    assert said.exit_code == 0, said.output
    assert "9 rounds" in said.output
    assert "missing_verification" in said.output


def test_it_lists_every_fault() -> None:
    said = invoke("--list-faults")
    assert said.exit_code == 0
    assert all(name in said.output for name in FAULTS)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--honest", "--fault", "tie_lost=0.1"), "--honest"),
        (("--rounds", "3", "--wagers", "9"), "--wagers"),
        (("--fault", "tie_lost"), "--fault"),
        (("--fault", "tie_lost=2"), "--fault"),
        (("--fault", "nonsense=0.1"), "nonsense"),
        (("--tables", "TCP-01"), "--tables"),
        (("--tables", "TCP-01=round"), "TCP-01"),
        (("--incident", "tie_lost"), "--incident"),
        (("--incident", "missing_verification@TCP-01:1-2"), "--incident"),
        (("--rounds", "0"), "--rounds"),
        (("--variant", "nonsense"), "--variant"),
    ],
)
def test_a_wrong_option_is_named(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    said = invoke("--out", str(tmp_path), "--seed", "1", *words)
    assert isinstance(said.exception, ResettleError)
    assert told in str(said.exception)
    assert said.exception.way_out or "must be" in said.exception.what


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    said = invoke("--out", str(tmp_path / "file" / "under"), "--seed", "1", "--rounds", "3")
    assert isinstance(said.exception, ResettleError)
    assert "file" in str(said.exception)


@pytest.mark.exhaustive
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_its_processes_end_with_it(tmp_path: Path) -> None:
    words = [
        "simulate",
        "--out",
        str(tmp_path / "day"),
        "--seed",
        "1",
        "--wagers",
        "400000",
        "--jobs",
        "2",
        "--tables",
        "A=seated,B=seated",
    ]
    command = [sys.executable, "-c", "from pipeline.cli import main; main()", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as asked:  # noqa: S603
        dealing = tmp_path / "day" / ".parts"
        _wait_until(lambda: len(list(dealing.glob("*/rounds.ndjson"))) == 2)
        children = Path(f"/proc/{asked.pid}/task").glob("*/children")
        workers = [Path("/proc") / child / "cmdline" for file in children for child in file.read_text().split()]
        asked.terminate()
    assert len(workers) >= 2
    _wait_until(lambda: not any(worker.exists() and b"spawn_main" in worker.read_bytes() for worker in workers))


def _wait_until(so: Callable[[], bool]) -> None:
    for _ in range(300):
        if so():
            return
        time.sleep(0.1)
    raise TimeoutError
