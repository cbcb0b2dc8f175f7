"""``resettle audit``: the options, which the nightly flow takes too, and the summary."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.asked import asked
from pipeline.audit import audit
from pipeline.commands.limits import HELP as LIMITS_HELP
from pipeline.commands.limits import limits_from
from pipeline.commands.options import CHECKS, CONTROL_TOTALS, DAY, FILINGS, INTO_LAKE, PATH, PLACE, PROFILE, ROSTER
from pipeline.commands.watching import watched
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report import terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.audit import Outcome

Command = TypeVar("Command", bound="Callable[..., Any]")

_AUDIT = (
    click.argument("inputs", nargs=-1, required=True, type=PLACE),
    FILINGS,
    INTO_LAKE,
    click.option("--report", type=PATH, help="Write report.html and report.json into this folder."),
    CHECKS,
    CONTROL_TOTALS,
    ROSTER,
    click.option(
        "--wallet", type=PLACE, multiple=True, help="The wallet's ledger, or a folder of them (NDJSON, CSV, Parquet); may be repeated."
    ),
    PROFILE,
    click.option(
        "--gaming-day", type=DAY, callback=lambda _, __, day: day and day.date(), help="Take in this gaming day only; others are counted."
    ),
    click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", callback=limits_from, help=LIMITS_HELP),
    click.option("--pseudonymise", type=PATH, metavar="KEYFILE", help="Put keyed pseudonyms in place of player ids, throughout the lake."),
    click.option("--sign", type=PATH, metavar="KEY", help="Sign the lake in the end with this private Ed25519 key (PEM)."),
)


def audit_options(command: Command) -> Command:
    """Give a click command the arguments of ``resettle audit`` that make a ``Request``."""
    for option in reversed(_AUDIT):
        command = option(command)
    return command


def typed() -> str:
    """The command as it was typed, for the record."""
    return shlex.join(["resettle", *sys.argv[1:]])


@click.command("audit")
@audit_options
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), default="critical", show_default=True, help="End with 1 on such a finding or a graver one."
)
def audit_command(fail_on: str, **options: Any) -> None:
    """Audit round logs (files and folders of them) and publish the result into a lake.

    Ends with 0: nothing at or above --fail-on was found; 1: something was; 2: nothing was published; 3: published, but not to be trusted.
    """
    with asked(command=typed(), **options) as request, watched() as progress:
        outcome = audit(request, progress=progress)
    show(outcome)
    sys.exit(outcome.exit_code(fail_on))


def show(outcome: Outcome) -> None:
    """Print the summary of an audit."""
    if outcome.repeated:
        click.echo("This very delivery was audited before, by the same filings, checks and version: the lake stays as it is.")
    terminal.show(outcome.report, page=None if outcome.page is None else str(outcome.page))
