"""The backfill as a Prefect flow: its nights are prepared by the workers of a Dask cluster, which share the lake's storage and no more."""

from __future__ import annotations

import time
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from dask.distributed import CancelledError, Client, Future, KilledWorker, as_completed
from prefect import flow
from prefect.context import FlowRunContext
from prefect_dask.task_runners import DaskTaskRunner
from prefect_dask.utils import get_dask_client

from flows.nightly_audit import Discreet, as_task, leave_artifacts
from pipeline.backfill import backfill
from pipeline.commands.watching import watched
from pipeline.core.errors import ResettleError, UntrustworthyError
from pipeline.last_resort import in_words
from pipeline.report.wording import count
from pipeline.steps import InOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from prefect.task_runners import TaskRunner

    from pipeline.audit import Outcome, Request
    from pipeline.prepare import Prepare
    from pipeline.reopened import Night

A = TypeVar("A")
B = TypeVar("B")

_MOST_TRIES: Final = 3


class OneByOne(InOrder):
    """Runs the stages that belong to no night here, each as a Prefect task."""

    def one(self, stage: Callable[[A], B], argument: A) -> B:
        """Run a stage as a task."""
        return as_task(stage)(argument)


@flow(name="backfill", validate_parameters=False)
def backfill_flow(request: Request) -> Outcome:
    """Make deliveries current in a lake. A finding leaves the flow ``Completed``; only what makes a night untrustworthy fails it.

    Args:
        request: what is asked, as of an audit.

    Raises:
        UntrustworthyError: the nights are published and not to be trusted; says why.
        ResettleError: nothing was published.
    """
    with _workers() as client, watched() as progress:
        outcome = backfill(request, Spreading(client), OneByOne(), progress)
    leave_artifacts(outcome)
    if outcome.report.untrusted:
        raise UntrustworthyError("; ".join(outcome.report.untrusted), str(request.lake), "see the report")
    return outcome


def runner(cluster: str | None, workers: int) -> TaskRunner[Any]:
    """The workers: those of a scheduler that runs, or processes of this machine.

    Raises:
        ResettleError: no scheduler answers there.
    """
    if cluster is None:
        here = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "memory_limit": 0, "dashboard_address": None}
        return DaskTaskRunner(cluster_kwargs=here)
    try:
        Client(cluster, timeout="10s").close()
    except (OSError, ValueError) as error:
        raise ResettleError("no Dask scheduler answers", cluster, "start one with: dask scheduler, or leave --cluster out") from error
    return DaskTaskRunner(address=cluster)


@contextmanager
def _workers() -> Iterator[Client]:
    """The client of the flow's cluster, which starts here."""
    context = FlowRunContext.get()
    if context is None or not isinstance(context.task_runner, DaskTaskRunner):
        raise RuntimeError("the backfill needs a DaskTaskRunner")
    with get_dask_client(address=context.task_runner.client.scheduler_info()["address"]) as client:
        yield client


class Spreading:
    """Has nights prepared by the workers of a cluster, and says after each of them how many are left and for about how long.

    A night whose worker dies is given to another one, and so is one that a failing disk or network stopped.

    Args:
        client: the cluster's client.
        say: who is told.
    """

    def __init__(self, client: Client, say: Callable[[str], None] = lambda line: click.echo(line, err=True)) -> None:
        self._client = client
        self._say = say

    def __call__(self, prepare: Prepare, nights: Sequence[tuple[Night, int]], ready: int) -> None:
        """Have the nights prepared."""
        if ready:
            self._say(f"{count(ready, 'night')} of {ready + len(nights)} prepared before")
        begun, total, done = time.monotonic(), sum(wagers for _, wagers in nights), 0
        finishing = as_completed(loop=self._client.loop)
        tries: dict[Future[int], tuple[tuple[Night, int], int]] = {}

        def begin(work: tuple[Night, int], nth: int) -> None:
            (studio, day), _ = work
            future = self._client.submit(Discreet(prepare), work[0], key=f"{prepare.plan}-{studio}-{day}-{nth}")
            tries[future] = work, nth
            finishing.add(future)

        try:
            for work in nights:
                begin(work, 1)
            number = ready
            for future in finishing:
                ((studio, day), wagers), nth = tries[future]
                fault = _fault_of(future)
                if isinstance(fault, OSError) and nth < _MOST_TRIES:
                    begin(((studio, day), wagers), nth + 1)
                    continue
                if fault is not None:
                    raise _in_words(fault, f"{studio} {day}")
                number, done = number + 1, done + wagers
                left = timedelta(seconds=round((time.monotonic() - begun) * (total - done) / max(done, 1)))
                self._say(f"{number} of {ready + len(nights)}: {studio} {day}, {count(future.result(), 'round')}; about {left} left")
        finally:
            self._client.cancel(list(tries))


def _fault_of(future: Future[int]) -> BaseException | None:
    try:
        fault: BaseException | None = future.exception()
    except CancelledError:
        return ResettleError("the Dask scheduler is gone", "backfill", "run this again: what was prepared is taken up")
    return fault


def _in_words(fault: BaseException, night: str) -> ResettleError:
    if isinstance(fault, KilledWorker):
        return ResettleError("every worker that was given it died", night, "see their logs, perhaps they lack memory, and run this again")
    return in_words(fault)
