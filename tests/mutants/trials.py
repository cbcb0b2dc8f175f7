"""Tries mutants against tests that are imported once: a batch of one file at a time, in a process forked before any test has run.

Nothing but imports may have happened before the fork, since threads do not survive it. Each test is run with every mutant of the batch that
none before has noticed, and what it settles is remembered. A mutant is noticed where a test fails, or where the process ends or works for
half a minute: another then goes on with the rest. A test that fails is run once more without a mutant.
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
from itertools import groupby
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Final

import duckdb
import pytest
from _pytest.runner import runtestprotocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.mutants.remembered import Remembered
    from tests.support.mutants import Mutant

ROOT: Final = Path(__file__).parents[2]
_QUIET: Final = ("-n", "0", "-s", "-qq", "-r", "", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-m", "not exhaustive")
_SECONDS: Final = 30
_BYTES: Final = 6 << 30
_BATCH: Final = 40
_LATE: Final = 75
_UNSOUND: Final = 76


@dataclass(frozen=True)
class Trial:
    """A mutant of a file below ``sql/``, and the tests that may notice it.

    First those of ``first`` that name the word, where there is one, then those of ``files`` that do, or all of these where none does.
    """

    path: Path
    mutant: Mutant
    files: tuple[str, ...]
    word: str | None = None
    first: tuple[str, ...] = ()


class Bench:
    """A plugin that tries mutants in place of the run of the tests that pytest has collected.

    Args:
        trials: what to try; the mutants of one file together.
        jobs: so many batches at once.
        until: by ``time.monotonic``, when to stop. A batch that is not finished by then counts as not tried.
        tell: called with each trial and whether it was noticed.
    """

    def __init__(self, trials: Sequence[Trial], jobs: int, until: float, tell: Callable[[Trial, bool], None]) -> None:
        self.trials, self.jobs, self.until, self.tell = trials, jobs, until, tell
        self.unsound = False
        self.failed = False

    def run(self) -> bool:
        """Collect the tests and try every mutant; whether the tests pass without one."""
        files = sorted({file for trial in self.trials for file in (*trial.files, *trial.first)})
        with tempfile.TemporaryDirectory() as folder:
            code = pytest.main([*_QUIET, f"--basetemp={folder}/temp", *files], plugins=[self])
        return code == pytest.ExitCode.OK and not self.unsound

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Share the batches out among forked processes."""
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
        noticing: Counter[tuple[Path, str]] = Counter()
        for batch in list(_batches(self.trials))[first :: self.jobs]:
            trial = self.trials[batch[0]]
            order = sorted(_meant(items, trial), key=lambda item: -noticing[trial.path, item.nodeid])
            noticed = self._noticed(batch, order)
            if noticed is None:
                return 0 if time.monotonic() > self.until else 1
            noticing.update((trial.path, order[test].nodeid) for test in noticed.values())
            os.write(told, "".join(f"{number} {number in noticed:d}\n" for number in batch).encode())
        return 0

    def _noticed(self, batch: list[int], order: list[pytest.Item]) -> dict[int, int] | None:
        """The mutants that were noticed, each with the place of the test that did; None where the batch could not be finished."""
        noticed: dict[int, int] = {}
        begin = 0
        while True:
            reading, writing = os.pipe()
            alive = [number for number in batch if number not in noticed]
            pid = _forked(lambda alive=alive, begin=begin, writing=writing: self._try(alive, order, begin, writing))
            os.close(writing)
            running = None
            with open(reading) as told:  # noqa: PTH123
                for word, test, number in map(str.split, told):
                    begin = int(test)
                    running = None if word == "noticed" else int(number)
                    if word == "noticed":
                        noticed[int(number)] = begin
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if code == 0:
                return noticed
            if code in {_LATE, _UNSOUND} or running is None:
                return None
            noticed[running] = begin

    def _try(self, alive: list[int], order: list[pytest.Item], begin: int, told: int) -> int:
        _keep_quiet()
        from tests.mutants.remembered import Remembered  # noqa: PLC0415 - only here may anything run

        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "sql", Path(folder) / "sql")
            sys.modules.pop("sql", None)
            sys.path.insert(0, folder)
            path = self.trials[alive[0]].path
            kept = Remembered(Path(folder) / path.relative_to(ROOT))
            for test in range(begin, len(order)):
                kept.another_test()
                failed = False
                for number in list(alive):
                    if time.monotonic() > self.until:
                        return _LATE
                    os.write(told, f"begun {test} {number}\n".encode())
                    if self._fails(order[test], kept, self.trials[number].mutant.text):
                        os.write(told, f"noticed {test} {number}\n".encode())
                        alive.remove(number)
                        failed = True
                if failed and self._fails(order[test], kept, path.read_text()):
                    sys.__stderr__.write(f"{order[test].nodeid} fails without a mutant\n")
                    return _UNSOUND
                if not alive:
                    break
        return 0

    def _fails(self, item: pytest.Item, kept: Remembered, text: str) -> bool:
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _SECONDS, resource.RLIM_INFINITY))
        self.failed = False
        try:
            kept.write(text)
        except duckdb.Error:
            return True
        for report in runtestprotocol(item, nextitem=None, log=False):
            self.failed |= report.failed
        return self.failed


def _keep_quiet() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))


def _batches(trials: Sequence[Trial]) -> Iterator[list[int]]:
    """Mutants of one file that stand beside one another, so many at most."""
    for _, numbers in groupby(range(len(trials)), key=lambda number: trials[number].path):
        of_file = list(numbers)
        yield from (of_file[first : first + _BATCH] for first in range(0, len(of_file), _BATCH))


def _forked(work: Callable[[], int]) -> int:
    """The id of a process that works, and ends with what that gives."""
    if pid := os.fork():
        return pid
    code = 70
    try:
        code = work()
    finally:
        os._exit(code)


def _meant(items: list[pytest.Item], trial: Trial) -> list[pytest.Item]:
    first, of_it = ([item for item in items if item.nodeid.partition("::")[0] in files] for files in (trial.first, trial.files))
    named = [[item for item in some if trial.word is None or _names(item, trial.word)] for some in (first, of_it)]
    return named[0] + (named[1] or of_it)


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
