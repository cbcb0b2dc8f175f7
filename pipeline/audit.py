"""The nightly audit in one page: read the delivery, settle and check each night in it, publish, report.

The stages are plain functions of plain arguments. ``resettle audit`` calls them one after another, ``flows/`` hands the same ones to
Prefect; both through ``Steps``, so that there is one line and not two.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.inputs import delivered_files
from pipeline.feeds.log_files import sha256_of
from pipeline.feeds.pseudonyms import Pseudonyms, refuse_other_key
from pipeline.feeds.wallet_ledger import ledger_files
from pipeline.filings.load import load_filings
from pipeline.lake import RunFacts, run_digest, writing
from pipeline.lake.filed import refuse_changed
from pipeline.lake.manifest import inputs_of
from pipeline.lake.publish import versions
from pipeline.lake.signature import read_private_key, sign
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.reconcile.checks import load_checks
from pipeline.report.model import Report, build_report
from pipeline.report.write import demand_folder, write_report
from pipeline.stages import Stages
from pipeline.steps import InOrder, Unwatched
from pipeline.version import code_version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from pipeline.behind import Behind
    from pipeline.filings.load import Filings
    from pipeline.lake import Publication, Writing
    from pipeline.reconcile.checks import CheckSet
    from pipeline.steps import Progress, Steps

_Files = set[tuple[str, str]]
"""Name and SHA-256 of each."""


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
        wallet: the wallet's ledgers, and folders of them.
        profile: how the feed's and the wallet's files differ from round-log/1 and wallet-ledger/1.
        gaming_day: take in this gaming day only.
        sign: sign what is current in the end with this private key.
        pseudonymise: keyed pseudonyms, by the key in this file, stand in place of player ids.
        limits: how much is read at a time and as one record.
        command: the command line, for the record.
    """

    inputs: tuple[Path, ...]
    filings: Path
    lake: Path
    report: Path | None = None
    checks: Path | None = None
    control_totals: Path | None = None
    roster: Path | None = None
    wallet: tuple[Path, ...] = ()
    profile: Path | None = None
    gaming_day: date | None = None
    sign: Path | None = None
    pseudonymise: Path | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
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
        ResettleError: see ``carried_out``.
    """
    steps, progress = steps or InOrder(), progress or Unwatched()

    def work(opened: Opened) -> tuple[int | None, Publication]:
        publication = opened.begin(opened.logs, opened.ledgers)
        if publication.published:
            return None, publication
        stages = opened.stages(publication, progress, opened.logs | opened.ledgers)
        nights = steps.one(stages.read, request.inputs)
        return steps.one(stages.publish, steps.each(stages.settle, nights)), publication

    return carried_out(request, work)


@dataclass(frozen=True, slots=True)
class Opened:
    """A lake opened for a run, and what was given.

    Attributes:
        request: what is asked.
        filings: the filings of the run.
        checks: the checks of the run.
        lake: the lake.
        logs: name and SHA-256 of the deliveries' files.
        ledgers: the same of the wallet's.
        pseudonyms: what stands in place of player ids; None: these stay.
    """

    request: Request
    filings: Filings
    checks: CheckSet
    lake: Writing
    logs: _Files
    ledgers: _Files
    pseudonyms: Pseudonyms | None

    def begin(self, logs: _Files, ledgers: _Files, more: Mapping[str, str] | None = None) -> Publication:
        """Start a run that reads these files."""
        beside = {"wallet": " ".join(sorted(name for name, _ in ledgers))} if ledgers else {}
        key = None if self.pseudonyms is None else self.pseudonyms.fingerprint
        return begin_run(self.request, self.lake, self.filings, self.checks, logs | ledgers, beside | dict(more or {}), key)

    def stages(self, publication: Publication, progress: Progress, files: _Files, behind: Behind | None = None) -> Stages:
        """The stages of a run that reads these files; ``behind`` says what else it does, and that it reads no others."""
        only, again = (None, ()) if behind is None else (behind.files, behind.nights)
        return Stages(self.request, self.filings, self.checks, self.lake, publication, progress, files, self.pseudonyms, only, again)


def carried_out(request: Request, work: Callable[[Opened], tuple[int | None, Publication | None]], *, resuming: bool = False) -> Outcome:
    """Open the lake, do the work, sign and report.

    Args:
        request: what is asked.
        work: does it; returns the number of the publish, None where nothing was published, and the run, None where there was none.
        resuming: leave what a killed run has prepared.

    Raises:
        PublishedError: the run was published, and the report could not be written.
        ResettleError: nothing was published; it says what, where and the way out.
    """
    key = None if request.sign is None else read_private_key(request.sign)
    pseudonyms = None if request.pseudonymise is None else Pseudonyms.read(request.pseudonymise)
    filings, checks = load_filings(request.filings), load_checks(request.checks)
    if request.report is not None:
        demand_folder(request.report)
    with writing(request.lake, resuming=resuming) as lake:
        refuse_other_key(lake, pseudonyms)
        refuse_changed(filings, lake)
        logs = {(file.name, sha256_of(file.path)) for file in delivered_files(request.inputs)}
        ledgers = {(file.name, sha256_of(file.path)) for file in ledger_files(request.wallet, {name for name, _ in logs})}
        number, publication = work(Opened(request, filings, checks, lake, logs, ledgers, pseudonyms))
        lake.refresh()
        if key is not None and lake.state is not None:
            sign(lake.root, lake.state, key)
        stands = publication is not None and publication.published
        run_id = publication.facts.run_id if publication is not None and stands else _run_of(lake, logs | ledgers)
    report = build_report(request.lake, run_id)
    page = None if request.report is None else write_report(report, request.report)
    return Outcome(report, page, number is None)


def deciding(request: Request) -> dict[str, str]:
    """The options, beside files, filings and checks, that decide what is published, each as a digest or as it was said."""
    beside = {"control_totals": request.control_totals, "roster": request.roster, "profile": request.profile}
    return {name: sha256_of(path) for name, path in beside.items() if path is not None} | request.limits.decisive


def begin_run(
    request: Request,
    lake: Writing,
    filings: Filings,
    checks: CheckSet,
    given: _Files,
    more: Mapping[str, str],
    key_fingerprint: str | None = None,
) -> Publication:
    """Start the run, which rests on the files of this delivery and of those before it, the filings, the checks and the code.

    Where the same run was published and is no longer current, this is another one: what was published is never written again.

    Args:
        request: what is asked.
        lake: the opened lake.
        filings: the filings of the run.
        checks: the checks of the run.
        given: name and SHA-256 of the files of this delivery.
        more: what else decides the run; with ``retry``, lines of the quarantine are read and not those files.
        key_fingerprint: of the key of the pseudonyms that stand in place of player ids; None: these stay.
    """
    before = {(one.source_file, one.sha256) for manifest in lake.chain.values() for one in manifest.inputs}
    decide = deciding(request)
    options = decide | dict(more)
    options["delivery"] = ",".join(sorted(sha256 for _, sha256 in given))
    if request.gaming_day is not None:
        options["gaming_day"] = request.gaming_day.isoformat()
    if key_fingerprint is not None:
        options["pseudonymise"] = key_fingerprint
    code = code_version()
    for again in range(len(lake.chain) + 1):
        if again:
            options["again"] = str(again)
        facts = RunFacts(
            run_id=run_digest(given | before, filings.fingerprint, checks.fingerprint, {"resettle": code, **versions()}, options),
            filings_fingerprint=filings.fingerprint,
            checks_fingerprint=checks.fingerprint,
            code_version=code,
            command=request.command,
            gaming_day=request.gaming_day,
            options=decide,
            retried="retry" in more,
            key_fingerprint=key_fingerprint,
        )
        publication = lake.begin(facts)
        if publication.published or all(one.run_id != facts.run_id for one in lake.chain.values()):
            break
    return publication


def _run_of(lake: Writing, given: _Files) -> str | None:
    """The latest run that read all of these files; the latest of all where none did."""
    runs = [one.run_id for _, one in sorted(lake.chain.items()) if given <= inputs_of(one)]
    return runs[-1] if runs else None
