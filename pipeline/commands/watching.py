"""Progress on a terminal: bytes read of each file, wagers settled of each night. Where nobody is watching, nothing is drawn."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import TaskID


@contextmanager
def watched() -> Iterator[Bars]:
    """Bars on standard error while the work lasts."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        yield Bars(bars)


class Bars:
    """``steps.Progress`` as bars. May be told from several threads."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._wagers: dict[str, int] = {}
        self._lock = Lock()

    def read(self, file: str, done: int, size: int) -> None:
        """So many bytes of a file are read, of so many."""
        told = f"{done / 1e6:,.1f} of {size / 1e6:,.1f} MB"
        self._bars.update(self._task(f"reading {file}"), completed=done, total=size, told=told)

    def settled(self, night: str, wagers: int) -> None:
        """So many more wagers of a night are settled and checked."""
        with self._lock:
            self._wagers[night] = self._wagers.get(night, 0) + wagers
        self._bars.update(self._task(f"settling {night}"), told=f"{self._wagers[night]:,} wagers")

    def _task(self, about: str) -> TaskID:
        with self._lock:
            if about not in self._tasks:
                self._tasks[about] = self._bars.add_task(about, total=None, told="")
            return self._tasks[about]
