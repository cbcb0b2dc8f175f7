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
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path

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
        PublishedError: it was, and the report could not be written.
        ResettleError: nothing was published; it says what, where and the way out.
    """
    steps, progress = steps or InOrder(), progress or Unwatched()
    key = None if request.sign is None else read_private_key(request.sign)
    pseudonyms = None if request.pseudonymise is None else Pseudonyms.read(request.pseudonymise)
    filings, checks = load_filings(request.filings), load_checks(request.checks)
    if request.report is not None:
        demand_folder(request.report)
    with writing(request.lake) as lake:
        refuse_other_key(lake, pseudonyms)
        refuse_changed(filings, lake)
        given = {(file.name, sha256_of(file.path)) for file in delivered_files(request.inputs)}
        ledgers = {(file.name, sha256_of(file.path)) for file in ledger_files(request.wallet, {name for name, _ in given})}
        beside = {"wallet": " ".join(sorted(name for name, _ in ledgers))} if ledgers else {}
        fingerprint = None if pseudonyms is None else pseudonyms.fingerprint
        publication = begin_run(request, lake, filings, checks, given | ledgers, beside, fingerprint)
        number = None
        if not publication.published:
            stages = Stages(request, filings, checks, lake, publication, progress, given | ledgers, pseudonyms)
            nights = steps.one(stages.read, request.inputs)
            number = steps.one(stages.publish, steps.each(stages.settle, nights))
        lake.refresh()
        if key is not None and lake.state is not None:
            sign(lake.root, lake.state, key)
        run_id = publication.facts.run_id if publication.published else _run_of(lake, given | ledgers)
    repeated = number is None
    report = build_report(request.lake, run_id)
    page = None if request.report is None else write_report(report, request.report)
    return Outcome(report, page, repeated)


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
    beside = {"control_totals": request.control_totals, "roster": request.roster, "profile": request.profile}
    options = {name: sha256_of(path) for name, path in beside.items() if path is not None} | dict(more) | request.limits.decisive
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
