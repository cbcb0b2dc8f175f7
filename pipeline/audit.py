"""The nightly audit in one page: read the delivery, settle and check each night in it, publish, report.

The stages are plain functions of plain arguments. ``resettle audit`` calls them one after another, ``flows/`` hands the same ones to
Prefect; both through ``Steps``, so that there is one line and not two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.feeds.log_files import log_files, sha256_of
from pipeline.filings.load import load_filings
from pipeline.lake import RunFacts, run_digest, writing
from pipeline.lake.filed import refuse_changed
from pipeline.lake.publish import versions
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.reconcile.checks import load_checks
from pipeline.report.model import Report, build_report
from pipeline.report.write import write_report
from pipeline.stages import Stages
from pipeline.steps import InOrder, Unwatched
from pipeline.version import code_version

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from pipeline.filings.load import Filings
    from pipeline.lake import Writing
    from pipeline.reconcile.checks import CheckSet
    from pipeline.steps import Progress, Steps


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of an audit; the options of ``resettle audit``.

    Attributes:
        inputs: round logs, and folders of them.
        filings: the folder of filings, or one file.
        lake: the lake to publish into.
        report: the folder for the report; None writes none.
        checks: an operator's own checks.
        control_totals: the studio's control totals.
        roster: the dealers' roster.
        gaming_day: take in this gaming day only.
        command: the command line, for the record.
    """

    inputs: tuple[Path, ...]
    filings: Path
    lake: Path
    report: Path | None = None
    checks: Path | None = None
    control_totals: Path | None = None
    roster: Path | None = None
    gaming_day: date | None = None
    command: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an audit ended.

    Attributes:
        report: the report's model.
        page: the HTML report; None where none was asked for.
        repeated: the same run stood already, so nothing was published anew.
    """

    report: Report
    page: Path | None
    repeated: bool

    def exit_code(self, fail_on: str) -> int:
        """0: nothing at or above ``fail_on``; 1: such findings; 3: published, but not to be trusted."""
        if self.report.untrusted:
            return 3
        grave = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
        return int(any(count.severity in grave for count in self.report.findings))


def audit(request: Request, steps: Steps | None = None, progress: Progress | None = None) -> Outcome:
    """Audit a delivery into a lake.

    Args:
        request: what to audit, by which filings, into which lake.
        steps: how to run the stages; None: one after another.
        progress: who is told how far the work is.

    Raises:
        ResettleError: nothing was published; it says what, where and the way out.
    """
    steps, progress = steps or InOrder(), progress or Unwatched()
    filings, checks = load_filings(request.filings), load_checks(request.checks)
    with writing(request.lake) as lake:
        refuse_changed(filings, lake)
        publication = lake.begin(_facts(request, lake, filings, checks))
        repeated = publication.published
        if not repeated:
            stages = Stages(request, filings, checks, lake, publication, progress)
            nights = steps.one(stages.read, request.inputs)
            steps.one(stages.publish, steps.each(stages.settle, nights))
        lake.refresh()
    report = build_report(request.lake, publication.facts.run_id)
    page = None if request.report is None else write_report(report, request.report)
    return Outcome(report, page, repeated)


def _facts(request: Request, lake: Writing, filings: Filings, checks: CheckSet) -> RunFacts:
    """What the run rests on: the files of this delivery and of those before it, the filings, the checks and the code."""
    given = {(file.name, sha256_of(file.path)) for file in log_files(request.inputs)}
    before = {(one.source_file, one.sha256) for manifest in lake.chain.values() for one in manifest.inputs}
    beside = {"control_totals": request.control_totals, "roster": request.roster}
    options = {name: sha256_of(path) for name, path in beside.items() if path is not None}
    if request.gaming_day is not None:
        options["gaming_day"] = request.gaming_day.isoformat()
    code = code_version()
    return RunFacts(
        run_id=run_digest(given | before, filings.fingerprint, checks.fingerprint, {"resettle": code, **versions()}, options),
        filings_fingerprint=filings.fingerprint,
        checks_fingerprint=checks.fingerprint,
        code_version=code,
        command=request.command,
        gaming_day=request.gaming_day,
    )
