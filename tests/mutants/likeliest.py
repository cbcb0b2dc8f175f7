"""For pytest where mutmut tries a mutant: the tests that noticed others of its module come first, then the quickest.

mutmut hands them over in no order, and a mutant costs all that runs until one fails. Used as ``-p tests.mutants.likeliest``.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

_STATS: Final = Path("mutmut-stats.json")
_NOTICED: Final = Path("noticed.txt")
"""Both in mutmut's folder, where the tests run; the latter has a line for each mutant that was noticed: its module and the test."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the likeliest first."""
    if (module := _mutated()) and _STATS.exists():
        lines = _NOTICED.read_text(encoding="utf-8").splitlines() if _NOTICED.exists() else []
        noticing = Counter(line.partition(" ")[2] for line in lines if line.startswith(f"{module} "))
        seconds = json.loads(_STATS.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: (-noticing[item.nodeid], seconds.get(item.nodeid, 0)))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep in mind which test noticed it."""
    if report.failed and (module := _mutated()):
        with _NOTICED.open("a", encoding="utf-8") as told:
            told.write(f"{module} {report.nodeid}\n")


def _mutated() -> str:
    """The module of the mutant that is tried, and nothing where none is."""
    name, mark, _ = os.environ.get("MUTANT_UNDER_TEST", "").partition("__mutmut_")
    return name.rpartition(".")[0] if mark else ""
