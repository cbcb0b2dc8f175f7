"""``resettle`` with a fate: ``python -m tests.support.doomed FATE WORD...`` runs ``resettle WORD...`` and meets it on the way.

A fate is ``kill:STEP`` or ``stop:STEP`` (SIGKILL or SIGSTOP once that step is done), ``torn:N`` (SIGKILL in the middle of the Nth small
file that the lake writes), ``move:N`` (SIGKILL before the Nth file is moved to its place), ``clock:SECONDS`` (the clock stands so far
off, and each look at it finds it further back) or ``none``. Once everything is imported, ``begun`` is printed.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline import audit, cli
from pipeline.lake import disk, facts, manifest, publish
from pipeline.steps import InOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

STEPS = ("read", "settle", *publish.STEPS)
"""Every named step of an audit, in order."""

SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}


def reached(step: str, fate: str) -> None:
    what, _, when = fate.partition(":")
    if what in SIGNALS and when == step:
        os.kill(os.getpid(), SIGNALS[what])


def fated_steps(fate: str) -> type[InOrder]:
    class Fated(InOrder):
        def one(self, stage: Callable[[Any], Any], argument: Any) -> Any:
            done = super().one(stage, argument)
            reached(stage.__name__, fate)
            return done

        def each(self, stage: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
            done = super().each(stage, arguments)
            reached(stage.__name__, fate)
            return done

    return Fated


def meet(fate: str) -> None:
    what, _, when = fate.partition(":")
    begin, write, move = publish.Writing.begin, disk.write, disk.move
    written, moved = count(1), count(1)

    def torn(path: Path, content: bytes) -> None:
        if next(written) == int(when):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        write(path, content)

    def unmoved(source: Path, target: Path) -> None:
        if next(moved) == int(when):
            os.kill(os.getpid(), signal.SIGKILL)
        move(source, target)

    class Jumping(datetime):
        looked = count()

        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime(2026, 1, 1, tzinfo=tz or UTC) + timedelta(seconds=int(when)) - next(cls.looked) * timedelta(days=400)

    audit.InOrder = fated_steps(fate)  # type: ignore[misc]
    publish.Writing.begin = lambda self, facts, _=None: begin(self, facts, lambda step: reached(step, fate))  # type: ignore[method-assign]
    if what == "torn":
        disk.write = torn
    if what == "move":
        disk.move = unmoved
    if what == "clock":
        # What a manifest's times are read as is settled before the clock that stands for them is another.
        msgspec.json.Decoder(manifest.Manifest)
        publish.datetime = facts.datetime = Jumping  # type: ignore[misc]


if __name__ == "__main__":
    meet(sys.argv.pop(1))
    print("begun", flush=True)  # noqa: T201
    cli.main()
