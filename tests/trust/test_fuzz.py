"""Every reader and the filing loader, fed what no one would write: refused in words or read with books that balance, and never a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.poison import Reading, changes, poisoned, readings

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = (
    "log", "log, gzip", "tables, csv", "tables, parquet", "history", "ledger", "ledger, csv", "ledger, parquet", "filing", "profile",
    "wallet profile", "control totals", "roster",
)  # fmt: skip
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def every(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reading]:
    return readings(sample, tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("name", FORMATS)
def test_the_sound_file_is_read(name: str, every: dict[str, Reading], tmp_path: Path) -> None:
    one = every[name]
    assert one.survives(one.victims[0], one.files[one.victims[0]], tmp_path / "x")
    assert every.keys() == set(FORMATS)


def fuzz(one: Reading, folder: Path, examples: int, *, repeatable: bool) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=SLOW, derandomize=repeatable, database=None, phases=tuple(Phase))
    @given(st.sampled_from(one.victims), changes())
    def run(victim: str, told: list[tuple[str, float, float, bytes]]) -> None:
        one.survives(victim, poisoned(one.files[victim], told), folder)

    run()


@pytest.mark.parametrize("name", FORMATS)
def test_poison_is_refused_in_words_or_read_with_books_that_balance(name: str, every: dict[str, Reading], tmp_path: Path) -> None:
    fuzz(every[name], tmp_path / "x", 12, repeatable=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", FORMATS)
def test_much_poison(name: str, every: dict[str, Reading], tmp_path: Path, pytestconfig: pytest.Config) -> None:
    asked = pytestconfig.getoption("--poison")
    fuzz(every[name], tmp_path / "x", asked or 500, repeatable=not asked)
