"""Do the tests notice a fault in the Python of engine and reconciliation? ``python -m tests.mutants.python [PATH...]`` asks mutmut.

A path is a file or folder below ``pipeline/settle/`` or ``pipeline/reconcile/``; without one it is all of both, with ``--changed`` those
that git says have changed. The mutants are made and tried in ``.mutants/``, a copy of the project that is thrown away at the next run,
against a fast part of the tests. Each is tried in a process that imports this project anew. Tells as ``tests.mutants.sql`` does.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.mutants.argued import why
from tests.mutants.options import ROOT, Score, chosen, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS: Final = ("pipeline/settle", "pipeline/reconcile")
FEW: Final = ("pipeline/settle/void_scope.py",)
"""What is mutated where git does not know what has changed."""

WORK: Final = ROOT / ".mutants"
_COPIED: Final = ("flows", "pipeline", "sample_data", "sql", "tests")
_TOO_SLOW: Final = "not twin_clauses and not twin_money and not twin_ranking and not night_is_cut and not sample_day"
_PRELOADED: Final = (
    "click",
    "cryptography.fernet",
    "duckdb",
    "hypothesis.strategies",
    "jinja2",
    "msgspec",
    "polars",
    "pyarrow",
    "pygments",
)
"""What the process that mutants are forked from imports beforehand: nothing of this project."""

_KNOWN: Final = "ignore::pytest.PytestAssertRewriteWarning"
"""What pytest says of a plugin that is there already."""

_AT_IMPORT: Final = "pipeline/reconcile/causes/"
"""Modules whose functions run when they are imported, so that mutmut takes the first test for the only one that reaches them."""

_GOLDEN: Final = ("tests/golden/test_ways.py", "tests/golden/test_incidents.py")
_DIAGNOSING: Final = (*_GOLDEN, "tests/reconcile/causes/", "tests/reconcile/test_diagnose.py", "tests/reconcile/test_incidents.py")
"""The tests that may notice a fault in those: each of their functions is tried against all of these."""

_NOT_NOTICED: Final = {0, 5, 33}
"""mutmut's word for a mutant under which every test passes, or for which there is no test."""

_BROKEN: Final = 255
"""Its word for a process that ended before it could run a test: this project cannot be imported with the mutant in it."""

_TIMED_OUT: Final = {-24, 24, 36, 152}
"""Its word for one that took too long: noticed, unless the machine was too busy, so it is told."""


_SHOW: Final = """
import json, sys
from mutmut.mutation.diff_apply import get_diff_for_mutant
json.dump({name: get_diff_for_mutant(name, path=file) for name, file in json.load(sys.stdin).items()}, sys.stdout)
"""


def main() -> None:
    """Copy, let mutmut make and try the mutants, tell. The argued ones are not tried."""
    given = parsed(__doc__)
    if not (files := chosen(given, FOLDERS, ".py", FEW)):
        return
    until = time.monotonic() + given.minutes * 60
    _prepare(files)
    _mutmut("run", "no such mutant", seconds=until - time.monotonic())
    _widen(files)
    drawn = random.Random(1)  # noqa: S311
    named = {name: file for name, file, _ in _results(files) if drawn.random() < given.share}
    changes = _changes(named)
    tried = [name for name, file in named.items() if not why(file, *changes[name])]
    if tried:
        _mutmut("run", "--max-children", str(given.jobs), *tried, seconds=until - time.monotonic())
    ended = {name: code for name, _, code in _results(files) if name in tried and code is not None}
    if ended and set(ended.values()) == {_BROKEN}:
        sys.exit("mutmut could not try any")
    score = Score()
    for name, file in named.items():
        if name in ended or name not in tried:
            score.add(file, *changes[name], noticed=ended.get(name, 0) not in _NOT_NOTICED)
    if late := [name for name, code in ended.items() if code in _TIMED_OUT]:
        print("took too long:", *late)
    sys.exit(not score.tell("Python", len(named)))


def _prepare(files: list[str]) -> None:
    """Copy the project, and tell mutmut there what it is about."""
    shutil.rmtree(WORK, ignore_errors=True)
    for name in _COPIED:
        shutil.copytree(ROOT / name, WORK / name, ignore=shutil.ignore_patterns("__pycache__"))
    settings = {
        "source_paths": ["pipeline"],
        "only_mutate": files,
        "also_copy": [name for name in _COPIED if name != "pipeline"],
        "process_isolation": "forkserver",
        "forkserver_warmup": "import",
        "preload_modules_file": "preloaded.txt",
        "timeout_constant": 10.0,
        "timeout_multiplier": 3.0,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-p", "tests.mutants.likeliest", "-W", _KNOWN, "-n", "0"],
        "pytest_add_cli_args_test_selection": ["-m", "not exhaustive and not hypothesis", "-k", _TOO_SLOW, *_tests(files)],
    }
    told = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ours = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    (WORK / "pyproject.toml").write_text(f"{told}\n[tool.mutmut]\n{ours}", encoding="utf-8")
    (WORK / "preloaded.txt").write_text("\n".join(_PRELOADED), encoding="utf-8")


def _tests(files: list[str]) -> list[str]:
    """The folders of the tests that may notice a fault in these files."""
    of_settle = {file for file in files if file.startswith("pipeline/settle/")}
    return [*(["tests/settle"] if of_settle else []), *(["tests/reconcile", *_GOLDEN] if of_settle != set(files) else [])]


def _mutmut(*words: str, seconds: float) -> str:
    """What mutmut says; it is stopped after so long, and has then kept what it knows."""
    command = [sys.executable, "-m", "mutmut", *words]
    # Without compiled modules each mutant would pay for compiling all of them.
    kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    asked = subprocess.Popen(command, cwd=WORK, env=kept, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603
    try:
        told, _ = asked.communicate(timeout=max(seconds, 1))
    except subprocess.TimeoutExpired:
        asked.send_signal(signal.SIGINT)
        told, _ = asked.communicate()
    return told


def _results(files: list[str]) -> Iterator[tuple[str, str, int | None]]:
    """Each mutant, its file and how its tests ended."""
    for file in files:
        kept = json.loads((WORK / "mutants" / f"{file}.meta").read_text(encoding="utf-8"))
        for name, code in kept["exit_code_by_key"].items():
            yield name, file, code


def _widen(files: list[str]) -> None:
    """Tell mutmut which tests may notice a fault in what runs at import: it reads what it knows from a file, made where time sufficed."""
    known = WORK / "mutants" / "mutmut-stats.json"
    if not known.exists():
        return
    told = json.loads(known.read_text(encoding="utf-8"))
    diagnosing = [test for test in told["duration_by_test"] if test.startswith(_DIAGNOSING)]
    functions = {name.partition("__mutmut_")[0] for name, file, _ in _results(files) if file.startswith(_AT_IMPORT)}
    told["tests_by_mangled_function_name"] |= dict.fromkeys(functions, diagnosing)
    known.write_text(json.dumps(told), encoding="utf-8")


def _changes(named: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The lines that each mutant changes, before and after."""
    command = [sys.executable, "-c", _SHOW]
    asked = subprocess.run(command, cwd=WORK, input=json.dumps(named), capture_output=True, text=True, check=True)  # noqa: S603
    return {name: (_lines(told, "-"), _lines(told, "+")) for name, told in json.loads(asked.stdout).items()}


def _lines(difference: str, mark: str) -> str:
    """What stands on one side of a difference, as one line."""
    return " ".join(line[1:].strip() for line in difference.splitlines()[2:] if line.startswith(mark))


if __name__ == "__main__":
    main()
