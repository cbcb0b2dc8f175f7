"""Do the tests notice a fault in the Python of engine and reconciliation? ``python -m tests.mutants.python [PATH...]`` asks mutmut.

A path is a file or folder below ``pipeline/settle/`` or ``pipeline/reconcile/``; without one it is all of both, with ``--changed`` those
that git says have changed. The mutants are made and tried in ``.mutants/``, a copy of the project that is thrown away at the next run,
against a fast part of the tests. Tells as ``tests.mutants.sql`` does.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.mutants.options import ROOT, Score, chosen, parsed

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS: Final = ("pipeline/settle", "pipeline/reconcile")
FEW: Final = ("pipeline/settle/void_scope.py",)
"""What is mutated where git does not know what has changed."""

WORK: Final = ROOT / ".mutants"
_COPIED: Final = ("flows", "pipeline", "sample_data", "sql", "tests")
_TOO_SLOW: Final = "not twin_clauses and not twin_money and not twin_ranking and not night_is_cut and not sample_day"
_BEYOND: Final = "pipeline/reconcile/causes/"
"""Modules whose functions run when they are imported: mutmut then knows only of the one test that happened to import them."""

_NOT_NOTICED: Final = {0, 5, 33}
"""mutmut's word for a mutant under which every test passes, or for which there is no test."""

_BROKEN: Final = 255
"""Its word for a process that ended before it could run a test."""

_TIMED_OUT: Final = {-24, 24, 36, 152}
"""Its word for one that took too long: noticed, unless the machine was too busy, so it is told."""


def main() -> None:
    """Copy, let mutmut make and try the mutants, tell."""
    given = parsed(__doc__)
    if not (files := [file for file in chosen(given, FOLDERS, ".py", FEW) if not file.startswith(_BEYOND)]):
        return
    until = time.monotonic() + given.minutes * 60
    _prepare(files)
    _mutmut("run", "no such mutant", seconds=until - time.monotonic())
    drawn = random.Random(1)  # noqa: S311
    names = [name for name, _, _ in _results(files) if drawn.random() < given.share]
    if names:
        _mutmut("run", "--max-children", str(given.jobs), *names, seconds=until - time.monotonic())
    if broken := [name for name, _, code in _results(files) if name in names and code == _BROKEN]:
        sys.exit(f"mutmut could not try {', '.join(broken)}")
    score = Score()
    for name, file, code in _results(files):
        if name in names and code is not None:
            noticed = code not in _NOT_NOTICED
            score.add(file, *(("", "") if noticed else _change(name)), noticed=noticed)
    if late := [name for name, _, code in _results(files) if name in names and code in _TIMED_OUT]:
        print("took too long:", *late)
    sys.exit(not score.tell("Python", len(names)))


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
        "forkserver_warmup": "none",
        "timeout_constant": 5.0,
        "pytest_add_cli_args": ["-p", "no:cacheprovider", "-n", "0"],
        "pytest_add_cli_args_test_selection": ["-m", "not exhaustive", "-k", _TOO_SLOW, *_tests(files)],
    }
    told = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ours = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    (WORK / "pyproject.toml").write_text(f"{told}\n[tool.mutmut]\n{ours}", encoding="utf-8")


def _tests(files: list[str]) -> list[str]:
    """The folders of the tests that may notice a fault in these files."""
    return sorted({"tests/settle" if file.startswith("pipeline/settle/") else "tests/reconcile" for file in files})


def _mutmut(*words: str, seconds: float) -> str:
    """What mutmut says; it is stopped after so long, and has then kept what it knows."""
    command = [sys.executable, "-m", "mutmut", *words]
    asked = subprocess.Popen(command, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603
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


def _change(name: str) -> tuple[str, str]:
    """The lines that a mutant changes, before and after."""
    told = [line for line in _mutmut("show", name, seconds=60).splitlines() if not line.startswith(("---", "+++"))]
    was, now = (" ".join(line[1:].strip() for line in told if line.startswith(mark)) for mark in "-+")
    return was, now


if __name__ == "__main__":
    main()
