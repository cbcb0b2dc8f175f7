"""The nightly audit as a Prefect flow: the stages of ``pipeline.audit`` as tasks, and what they found as artifacts."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from prefect import Task, flow, get_run_logger, task
from prefect.artifacts import create_link_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from flows.notice import give_notice
from pipeline.asked import asked
from pipeline.audit import Outcome, audit
from pipeline.commands.watching import watched
from pipeline.core.errors import UntrustworthyError
from pipeline.core.object_store import Place, place
from pipeline.feeds.blocks import ReadLimits
from pipeline.last_resort import UNFORESEEN, in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from prefect.client.schemas.objects import State

ONE_BY_ONE: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=1)
"""Both engines use every core for one night, so nights are not settled beside each other."""

A = TypeVar("A")
B = TypeVar("B")


class PrefectSteps:
    """Runs each stage as a Prefect task. Only a failing disk or network is tried again; wrong input or money never is."""

    def one(self, stage: Callable[[A], B], argument: A) -> B:
        """Run a stage as a task."""
        (result,) = self.each(stage, [argument])
        return result

    def each(self, stage: Callable[[A], B], arguments: Sequence[A]) -> list[B]:
        """Run a stage as a task for each argument."""
        made = as_task(stage)
        futures = [made.submit(argument) for argument in arguments]
        return [future.result() for future in futures]


def as_task(stage: Callable[[A], B]) -> Task[[A], B]:
    """The stage as a Prefect task."""
    made = task(name=stage.__name__, retries=2, retry_delay_seconds=5, retry_condition_fn=_is_io, cache_policy=NO_CACHE)
    return made(Discreet(stage).__call__)


@dataclass(frozen=True, slots=True)
class Discreet(Generic[A, B]):
    """A stage, whose unforeseen faults may quote the data: who keeps what they say hears of them in words without any."""

    stage: Callable[[A], B]

    def __call__(self, argument: A) -> B:
        """Run the stage."""
        try:
            return self.stage(argument)
        except OSError:
            raise
        except UNFORESEEN as error:
            raise in_words(error) from None


async def _is_io(of: object, run: object, state: State[Any]) -> bool:
    del of, run
    return isinstance(await state.aresult(raise_on_failure=False), OSError)


@flow(name="nightly_audit", task_runner=ONE_BY_ONE, validate_parameters=False)
def nightly_audit(
    inputs: Sequence[Place | str],
    filings: Place | str,
    lake: Place | str,
    report: Path | str | None = None,
    checks: Place | str | None = None,
    control_totals: Place | str | None = None,
    roster: Place | str | None = None,
    wallet: Sequence[Place | str] = (),
    profile: Place | str | None = None,
    gaming_day: date | None = None,
    sign: Path | str | None = None,
    pseudonymise: Path | str | None = None,
    limits: ReadLimits | None = None,
    notify: Sequence[str] = (),
    notify_at: str = "critical",
    report_address: str | None = None,
) -> Outcome:
    """Audit a delivery into a lake. A finding leaves the flow ``Completed``; only what makes the night untrustworthy fails it.

    What is read, and the lake, may lie in an object store: ``s3://bucket/folder``.

    Args:
        inputs: round logs, and folders of them.
        filings: the folder of filings.
        lake: the lake to publish into.
        report: the folder for the report.
        checks: an operator's own checks.
        control_totals: the studio's control totals.
        roster: the dealers' roster.
        wallet: the wallet's ledgers.
        profile: how the files differ from the project's formats.
        gaming_day: take in this gaming day only; others are counted.
        sign: sign the lake in the end with this private key.
        pseudonymise: keyed pseudonyms, by the key in this file, stand in place of player ids.
        limits: how much is read at a time and as one record.
        notify: who is told of findings: webhooks' addresses, and Prefect blocks as ``type/name``; each once for the same findings.
        notify_at: the lowest severity that they are told of.
        report_address: where the report can be read, for the notice; None: the page's path.

    Raises:
        UntrustworthyError: the night is published and not to be trusted; says why.
        ResettleError: nothing was published.
    """
    given: dict[str, Any] = {
        "inputs": tuple(map(_place, inputs)), "filings": _place(filings), "lake": _place(lake), "report": _place(report),
        "checks": _place(checks), "control_totals": _place(control_totals), "roster": _place(roster), "wallet": tuple(map(_place, wallet)),
        "profile": _place(profile), "gaming_day": gaming_day, "sign": _place(sign), "pseudonymise": _place(pseudonymise),
    }  # fmt: skip
    with asked(command=same_by_hand(given), limits=limits or ReadLimits(), **given) as request:
        with watched() as progress:
            outcome = audit(request, PrefectSteps(), progress)
        leave_artifacts(outcome)
        page = None if outcome.page is None else outcome.page.resolve().as_uri()
        for fault in give_notice(outcome.report, request.lake, report_address or page, notify, notify_at):
            get_run_logger().error(fault)
            print(f"resettle: {fault}", file=sys.stderr)  # noqa: T201  (Prefect's log is silent on a user's screen)
    if outcome.report.untrusted:
        raise UntrustworthyError("; ".join(outcome.report.untrusted), str(lake), "see the report")
    return outcome


def same_by_hand(asked_for: Mapping[str, Any]) -> str:
    """The command that does the same without Prefect: it stands in the record of the run, and says where the files lay."""
    names = ("filings", "lake", "report", "checks", "control_totals", "roster", "profile", "gaming_day", "sign", "pseudonymise")
    given = [*(("wallet", ledger) for ledger in asked_for["wallet"]), *((name, asked_for[name]) for name in names)]
    words = [word for name, value in given if value is not None for word in (f"--{name.replace('_', '-')}", value)]
    return shlex.join(map(str, ["resettle", "audit", *asked_for["inputs"], *words]))


def _place(given: Place | str | None) -> Place | None:
    return place(given) if isinstance(given, str) else given


def leave_artifacts(outcome: Outcome) -> None:
    """A table of what was found, by check (no player ids), and a link to the page."""
    rows = [{"check": one.check_id, "severity": one.severity, "findings": one.findings} for one in outcome.report.findings]
    create_table_artifact(table=rows, key="findings", description=f"Run {outcome.report.run.run_id}")
    if outcome.page is not None:
        create_link_artifact(link=outcome.page.resolve().as_uri(), link_text="The nightly report", key="report")
