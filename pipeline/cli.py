"""The ``resettle`` command."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline import query as asking
from pipeline.ask_command import ask
from pipeline.audit import Outcome, Request, audit
from pipeline.case.command import case_command, show_verified
from pipeline.core.errors import ResettleError
from pipeline.explain.command import explain_command
from pipeline.export_command import export_command
from pipeline.filings.difference import difference
from pipeline.filings.edge_words import edge_text
from pipeline.filings.load import load_filings
from pipeline.filings.words import describe, wager_in_words
from pipeline.findings_command import findings
from pipeline.instant import Instant
from pipeline.lake import relocate
from pipeline.lake import verify as verify_lake
from pipeline.lake.disk import narrow_permissions
from pipeline.lake.remedies import record as record_remedy
from pipeline.lake.signature import read_public_key
from pipeline.last_resort import UNFORESEEN, in_words
from pipeline.limit_option import HELP as LIMITS_HELP
from pipeline.limit_option import limits_from
from pipeline.quarantine_command import quarantine
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report import terminal
from pipeline.report.wording import amount, count
from pipeline.sign_command import sign_command
from pipeline.simulate import command as simulating
from pipeline.watching import watched
from pipeline.what_if import money_effect, only_filing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

Command = TypeVar("Command", bound="Callable[..., Any]")

PATH = click.Path(path_type=Path)
LAKE = click.option("--lake", type=PATH, required=True, help="The folder that the audit publishes into.")

AS_OF = click.option(
    "--as-of", type=Instant(), metavar="TIME", help="Show what was known then: RFC 3339 with its offset, like 2026-11-05T06:00:00Z."
)

_AUDIT = (
    click.argument("inputs", nargs=-1, required=True, type=PATH),
    click.option("--filings", type=PATH, required=True, help="What the operators filed: a folder of TOML files, or one."),
    LAKE,
    click.option("--report", type=PATH, help="Write report.html and report.json into this folder."),
    click.option("--checks", type=PATH, help="A folder of your own checks, run beside the project's."),
    click.option("--control-totals", type=PATH, help="The studio's control totals (CSV)."),
    click.option("--roster", type=PATH, help="The dealers' roster (CSV)."),
    click.option(
        "--wallet", type=PATH, multiple=True, help="The wallet's ledger, or a folder of them (NDJSON, CSV, Parquet); may be repeated."
    ),
    click.option("--profile", type=PATH, help="How the files differ from the project's formats (TOML)."),
    click.option("--gaming-day", type=click.DateTime(["%Y-%m-%d"]), help="Take in this gaming day only; others are counted."),
    click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", callback=limits_from, help=LIMITS_HELP),
    click.option("--sign", type=PATH, metavar="KEY", help="Sign the lake in the end with this private Ed25519 key (PEM)."),
)


class Group(click.Group):
    """Says every error in one line, and ends with its exit code. What it creates is for its owner and group only."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        narrow_permissions()
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.exceptions.Abort, click.exceptions.NoArgsIsHelpError, BrokenPipeError):
            raise
        except click.UsageError as wrong:
            where = (wrong.ctx or ctx).command_path
            click.echo(f"resettle: {where}: {wrong.format_message().rstrip('.')} (`{where} --help` says what it takes)", err=True)
            ctx.exit(2)
        except click.ClickException:
            raise
        except KeyboardInterrupt:
            click.echo("resettle: stopped; the lake holds its last whole state", err=True)
            ctx.exit(130)
        except UNFORESEEN as unforeseen:
            error = in_words(unforeseen)
            click.echo(f"resettle: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="resettle")
def main() -> None:
    """Audit live-dealer Three Card Poker: re-settle every wager under the filed paytable and name each difference."""


def audit_options(command: Command) -> Command:
    """Give a click command the arguments of ``resettle audit`` that make a ``Request``."""
    for option in reversed(_AUDIT):
        command = option(command)
    return command


def request_from(*, inputs: Sequence[Path], wallet: Sequence[Path] = (), gaming_day: datetime | None = None, **paths: Any) -> Request:
    """The options of ``resettle audit`` as a request."""
    return Request(
        tuple(inputs),
        wallet=tuple(wallet),
        gaming_day=gaming_day.date() if gaming_day else None,
        command=shlex.join(["resettle", *sys.argv[1:]]),
        **paths,
    )


@main.command("audit")
@audit_options
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), default="critical", show_default=True, help="End with 1 on such a finding or a graver one."
)
def audit_command(fail_on: str, **options: Any) -> None:
    """Audit round logs (files and folders of them) and publish the result into a lake.

    Ends with 0: nothing at or above --fail-on was found; 1: something was; 2: nothing was published; 3: published, but not to be trusted.
    """
    with watched() as progress:
        outcome = audit(request_from(**options), progress=progress)
    show(outcome)
    sys.exit(outcome.exit_code(fail_on))


def show(outcome: Outcome) -> None:
    """Print the summary of an audit."""
    if outcome.repeated:
        click.echo("This very delivery was audited before, by the same filings, checks and version: the lake stays as it is.")
    terminal.show(outcome.report, page=None if outcome.page is None else str(outcome.page))


@main.command()
@click.argument("sql")
@LAKE
@click.option("--format", "form", type=click.Choice(asking.FORMATS), default="table", show_default=True)
@AS_OF
def query(sql: str, lake: Path, form: str, as_of: datetime | None) -> None:
    """Ask the lake one SELECT."""
    with asking.connect(lake, as_of) as con:
        click.echo(asking.render(asking.select(con, sql), form), nl=False)


@main.command()
@click.argument("case", type=PATH, required=False)
@click.option("--lake", type=PATH, help="The folder that the audit publishes into.")
@click.option("--head", help="A head of the chain, or the digest of a case, that you kept elsewhere: it must be in there.")
@click.option("--signed-by", type=PATH, metavar="KEY", help="A public Ed25519 key (PEM): what is current in the lake must be signed by it.")
def verify(case: Path | None, lake: Path | None, head: str | None, signed_by: Path | None) -> None:
    """Check that nothing in the lake, or in a case file, was lost, changed or replaced."""
    if case is not None and lake is None and signed_by is None:
        show_verified(case, head)
        return
    if case is not None or lake is None:
        raise ResettleError("one thing is verified at a time", "verify", "name the folder of a case, or a lake with --lake")
    found = verify_lake(lake, head, None if signed_by is None else read_public_key(signed_by))
    click.echo(
        f"{count(found.publishes, 'publish', 'publishes')}, {count(found.partitions, 'current night')}, "
        f"{count(found.files, 'file')} ({found.bytes:,} bytes): everything fits."
    )
    click.echo(f"head of the chain: {found.manifest_sha256}\nhead of the records: {found.run_sha256}")
    click.echo(f"signed by {found.signed_by}" if found.signed_by else "not signed")
    for stray in found.strays:
        click.echo(f"not of this lake, and shown in no view: {stray}")


@main.command()
@click.argument("finding_id")
@LAKE
@click.option("--txn", required=True, help="The adjustment's id in the wallet's ledger.")
@click.option("--amount", "paid", required=True, help="What was paid, in the finding's currency, like 12.50.")
@click.option("--by", required=True, help="Who records it.")
@click.option("--note", help="Why.")
def remedy(finding_id: str, lake: Path, txn: str, paid: str, by: str, note: str | None) -> None:
    """Record which wallet adjustment pays a finding back. What was recorded is never changed; the view remedy_status sums it up."""
    made = record_remedy(lake, finding_id, txn, paid, by, note)
    click.echo(f"{made.amount} {made.currency} to {made.player_id} recorded for finding {finding_id}; the view remedy_status sums up.")


@main.group("lake")
def lake_group() -> None:
    """Look after a lake."""


@lake_group.command("here")
@click.argument("lake", type=PATH)
def lake_here(lake: Path) -> None:
    """Mend a lake that was moved: its views then read the files where they lie now."""
    click.echo(f"{lake}: publish {relocate(lake).number} is shown from here now.")


lake_group.add_command(sign_command)
main.add_command(quarantine)
main.add_command(ask)
main.add_command(findings)
main.add_command(export_command)
main.add_command(explain_command)
main.add_command(case_command)


@main.group()
def filing() -> None:
    """Read what was filed."""


@filing.command("check")
@click.argument("path", type=PATH)
def filing_check(path: Path) -> None:
    """Say in words what a filing, or a folder of them, means, what is licensed and what expires when.

    Ends with 1 where anything is unlicensed, 2 where a filing cannot be read.
    """
    said = describe(load_filings(path))
    click.echo(said.text, nl=False)
    sys.exit(said.exit_code)


@filing.command("diff")
@click.argument("one", type=PATH)
@click.argument("other", type=PATH)
@click.option("--lake", type=PATH, help="Also say what the other would have made due on a day of this lake.")
@click.option("--gaming-day", type=click.DateTime(["%Y-%m-%d"]), help="The day, with --lake.")
def filing_diff(one: Path, other: Path, lake: Path | None, gaming_day: datetime | None) -> None:
    """Say what changed between two filings, and what the change is worth on a past day."""
    if (lake is None) != (gaming_day is None):
        raise ResettleError("--lake and --gaming-day go together", "filing diff", "give both, or neither")
    first, second = (only_filing(load_filings(path), str(path)) for path in (one, other))
    for key, before, after in difference(first, second):
        click.echo(f"{key}: {before} -> {after}")
    if first.fingerprint == second.fingerprint:
        click.echo("The two mean the same.")
    if lake is not None and gaming_day is not None:
        effect = money_effect(lake, first, second, gaming_day.date())
        click.echo(f"\nOn {gaming_day.date()}, at the tables of {first.filing_id}:")
        for kind, currency, wagers, changed, due, instead, more in effect.iter_rows():
            told = f"due {amount(due, currency)} -> {amount(instead, currency)} ({amount(more, currency, signed=True)})"
            click.echo(f"  {wager_in_words(kind)}: {changed:,} of {wagers:,} wagers differ; {told}")


@main.command()
@click.argument("path", type=PATH)
def edge(path: Path) -> None:
    """The exact house edge of each wager of a filing, by enumeration of every deal."""
    click.echo(edge_text(load_filings(path)), nl=False)


@main.command()
@simulating.simulate_options
def simulate(out: Path, **options: Any) -> None:
    """Deal studio days, honest or with planted faults, with the truth beside them."""
    simulating.run(out, **options)
