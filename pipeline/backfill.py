"""A backfill: deliveries of many nights made current in a lake, the nights prepared by many processes and published in one step.

What is current is left alone (``pipeline.behind``). A killed backfill goes on where it was: what was read and prepared lies in the staging
folder of its run, whose name is a digest of the files, filings, checks and version, until another audit of the lake sweeps it away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pipeline.audit import carried_out, deciding
from pipeline.behind import Today
from pipeline.core.errors import LakeError
from pipeline.feeds.inputs import find_inputs
from pipeline.prepare import prepared
from pipeline.settling import read_plan
from pipeline.steps import InOrder, Unwatched

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipeline.audit import Opened, Outcome, Request
    from pipeline.lake import Publication
    from pipeline.night import Settled
    from pipeline.prepare import Prepare
    from pipeline.reopened import Night
    from pipeline.steps import Progress, Steps


class Spread(Protocol):
    """Has nights prepared by other processes, and comes back when all of them are."""

    def __call__(self, prepare: Prepare, nights: Sequence[tuple[Night, int]], ready: int) -> None:
        """Have each of ``nights`` (with about how many wagers it has) prepared, beside as many as are ``ready`` from before."""


def backfill(request: Request, spread: Spread, steps: Steps | None = None, progress: Progress | None = None) -> Outcome:
    """Make deliveries current in a lake.

    Args:
        request: what is asked, as of an audit.
        spread: has the nights prepared.
        steps: how the other stages are run; None: one after another.
        progress: who is told how far the reading is.

    Raises:
        ResettleError: see ``audit.carried_out``.
    """
    steps, progress = steps or InOrder(), progress or Unwatched()

    def work(opened: Opened) -> tuple[int | None, Publication | None]:
        together = [{file.name for file in one.files} for one in find_inputs(request.inputs)]
        today = Today(opened.lake, opened.filings, opened.checks, deciding(request), request.gaming_day)
        behind = today.behind(dict(opened.logs | opened.ledgers), together)
        if not behind.files and not behind.nights:
            return None, None
        logs, ledgers = ({one for one in files if one[0] in behind.files} for files in (opened.logs, opened.ledgers))
        judged = {"judged": " ".join(f"{studio}/{day}" for studio, day in behind.nights)} if behind.nights else {}
        publication = opened.begin(logs, ledgers, judged)
        opened.lake.sweep(lambda staging: staging == publication.staging)
        stages = opened.stages(publication, progress, logs | ledgers, behind)
        prepare = stages.resume() or stages.hand_over(steps.one(stages.read, request.inputs))
        return steps.one(stages.publish, _prepared(publication.staging, prepare, spread)), publication

    return carried_out(request, work, resuming=True)


def _prepared(staging: Path, prepare: Prepare, spread: Spread) -> list[Settled]:
    """What came of each night of the plan, those prepared before a kill included."""
    nights = [((studio, day), wagers) for studio, day, wagers in read_plan(staging).nights]
    found = {night: prepared(staging, night) for night, _ in nights}
    left = [(night, wagers) for night, wagers in nights if found[night] is None]
    spread(prepare, left, len(nights) - len(left))
    found |= {night: prepared(staging, night) for night, _ in left}
    for (studio, day), settled in found.items():
        if settled is None:
            way_out = "see that the workers write to this very folder"
            raise LakeError(f"the night {studio} {day} was prepared and is not there", str(staging), way_out)
    return [settled for settled in found.values() if settled is not None]
