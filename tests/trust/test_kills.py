"""SIGKILL at every named step of an audit, in the middle of files, between moves, and at random moments."""

from __future__ import annotations

import random
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.support.crash import doomed
from tests.support.doomed import STEPS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.crash import Ground

FEW_STEPS = ("switched",)
FEW_FATES = ("move:9",)
MORE_FATES = ("torn:1", "torn:2", "torn:3", "torn:4", *(f"move:{number}" for number in range(1, 24) if number != 9))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """How many random moments: as many as ``--kills`` says, else one among the long proofs."""
    if "moment" in metafunc.fixturenames:
        kills = metafunc.config.getoption("--kills")
        metafunc.parametrize("moment", range(kills) if kills else [pytest.param(0, marks=pytest.mark.exhaustive)])


@pytest.fixture(scope="session")
def seconds(ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long an audit takes here that nobody disturbs."""
    process = doomed("none", ground.words(ground.lake(tmp_path_factory.mktemp("timed"))))
    begun = time.monotonic()
    process.communicate()
    return time.monotonic() - begun


@pytest.mark.parametrize("step", [step if step in FEW_STEPS else pytest.param(step, marks=pytest.mark.exhaustive) for step in STEPS])
def test_a_kill_at_each_named_step(step: str, ground: Ground, tmp_path: Path) -> None:
    lake = ground.lake(tmp_path)
    process = doomed(f"kill:{step}", ground.words(lake))
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    ground.comes_whole(lake)


@pytest.mark.parametrize("fate", [*FEW_FATES, *(pytest.param(fate, marks=pytest.mark.exhaustive) for fate in MORE_FATES)])
def test_a_kill_within_a_file_and_between_moves(fate: str, ground: Ground, tmp_path: Path) -> None:
    lake = ground.lake(tmp_path)
    process = doomed(fate, ground.words(lake))
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    ground.comes_whole(lake)


def test_a_kill_at_a_random_moment(moment: int, seconds: float, ground: Ground, tmp_path: Path) -> None:
    lake = ground.lake(tmp_path)
    process = doomed("none", ground.words(lake))
    time.sleep(random.Random(moment).uniform(0, seconds))  # noqa: S311
    process.kill()
    process.communicate()
    ground.comes_whole(lake)
