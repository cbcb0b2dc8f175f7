"""Tries mutants against tests that are imported once: each in a process of its own, forked before any test has run.

Nothing but imports may have happened before the fork, since threads do not survive it. A mutant is noticed where a test fails, crashes or
takes a minute of the processor; the tests that noticed others of the file run first.
"""

from __future__ import annotations

import inspect
import os
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.support.mutants import Mutant

ROOT: Final = Path(__file__).parents[2]
_QUIET: Final = ("-n", "0", "-s", "-qq", "-r", "", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-m", "not exhaustive")
_SECONDS: Final = 60
_BYTES: Final = 6 << 30
_LATE: Final = 75


@dataclass(frozen=True)
class Trial:
    """A mutant of a file below ``sql/``, and the tests that may notice it: those of these files that name the word, where any does."""

    path: Path
    mutant: Mutant
    files: tuple[str, ...]
    word: str | None = None


class Bench:
    """A plugin that tries mutants in place of the run of the tests that pytest has collected.

    Args:
        trials: what to try, in this order.
        jobs: so many at once.
        until: by ``time.monotonic``, when to stop.
        tell: called with each trial and whether it was noticed.
    """

    def __init__(self, trials: Sequence[Trial], jobs: int, until: float, tell: Callable[[Trial, bool], None]) -> None:
        self.trials, self.jobs, self.until, self.tell = trials, jobs, until, tell
        self.unsound = False
        self.failed = False

    def run(self) -> bool:
        """Collect the tests and try every mutant; whether the tests pass without one."""
        files = sorted({file for trial in self.trials for file in trial.files})
        with tempfile.TemporaryDirectory() as folder:
            code = pytest.main([*_QUIET, f"--basetemp={folder}/temp", *files], plugins=[self])
        return code == pytest.ExitCode.OK and not self.unsound

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Share the trials out among forked processes."""
        if session.testsfailed:
            self.unsound = True
            return True
        reading, writing = os.pipe()
        workers = [_forked(lambda first=first: self._work(session.items, first, writing)) for first in range(self.jobs)]
        os.close(writing)
        with open(reading) as told:  # noqa: PTH123
            for number, noticed in map(str.split, told):
                self.tell(self.trials[int(number)], noticed == "1")
        self.unsound = [os.waitpid(worker, 0)[1] for worker in workers] != [0] * self.jobs
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep in mind that a test failed."""
        self.failed |= report.failed

    def _work(self, items: list[pytest.Item], first: int, told: int) -> int:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "sql", Path(folder) / "sql")
            sys.modules.pop("sql", None)
            sys.path.insert(0, folder)
            noticing: Counter[tuple[Path, str]] = Counter()
            sound: set[str] = set()
            for number in range(first, len(self.trials), self.jobs):
                trial = self.trials[number]
                order = _in_order(items, trial, noticing)
                file = Path(folder) / trial.path.relative_to(ROOT)
                file.write_text(trial.mutant.text)
                try:
                    noticed = self._first_failing(order)
                except TimeoutError:
                    break
                file.write_text(trial.path.read_text())
                if noticed is not None:
                    noticing[trial.path, noticed.nodeid] += 1
                    if noticed.nodeid not in sound and self._first_failing([noticed]) is not None:
                        print(f"{noticed.nodeid} fails without a mutant", flush=True)
                        return 1
                    sound.add(noticed.nodeid)
                os.write(told, f"{number} {noticed is not None:d}\n".encode())
        return 0

    def _first_failing(self, items: list[pytest.Item]) -> pytest.Item | None:
        reading, writing = os.pipe()
        pid = _forked(lambda: self._test(items, writing))
        os.close(writing)
        with open(reading) as told:  # noqa: PTH123
            begun = told.read().split()
        if (code := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])) == _LATE:
            raise TimeoutError
        return items[int(begun[-1])] if code else None

    def _test(self, items: list[pytest.Item], begun: int) -> int:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        _forget()
        resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
        for number, item in enumerate(items):
            if time.monotonic() > self.until and len(items) > 1:
                return _LATE
            os.write(begun, f"{number} ".encode())
            used = resource.getrusage(resource.RUSAGE_SELF)
            resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _SECONDS, resource.RLIM_INFINITY))
            following = items[number + 1] if number + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return 1
        return 0


def _forked(work: Callable[[], int]) -> int:
    """The id of a process that works, and ends with what that gives."""
    if pid := os.fork():
        return pid
    code = 70
    try:
        code = work()
    finally:
        os._exit(code)


def _in_order(items: list[pytest.Item], trial: Trial, noticing: Counter[tuple[Path, str]]) -> list[pytest.Item]:
    of_it = [item for item in items if item.nodeid.partition("::")[0] in trial.files]
    naming = [item for item in of_it if trial.word and _names(item, trial.word)]
    return sorted(naming or of_it, key=lambda item: -noticing[trial.path, item.nodeid])


def _names(item: pytest.Item, word: str) -> bool:
    """Whether a test names it: in what it is given, or in its text."""
    given = getattr(item, "callspec", None)
    return (given is not None and word in str(given.params)) or _mentions(getattr(item, "function"), word)  # noqa: B009


@cache
def _mentions(function: FunctionType, word: str) -> bool:
    """Whether a function of the tests has the word in its text, in the data of its module that it reads, or in a function that it calls."""
    codes = [function.__code__]
    for code in codes:
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
    read = [inspect.unwrap(value) for code in codes for name in code.co_names if (value := function.__globals__.get(name)) is not None]
    texts = [repr(value) for value in read if isinstance(value, str | dict | list | tuple)]
    called = [
        value for value in read if isinstance(value, FunctionType) and value.__module__ == function.__module__ and value is not function
    ]
    return any(word in text for text in texts + [str(code.co_consts) for code in codes]) or any(_mentions(other, word) for other in called)


def _forget() -> None:
    """Empty every cache of this project's modules: what was read of ``sql/`` is read anew."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("tests.", "pipeline.")):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
