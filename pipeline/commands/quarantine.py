"""``resettle quarantine``: what cannot be read, looked at and tried again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from pipeline.asked import asked
from pipeline.commands.audit import typed
from pipeline.commands.options import CHECKS, CONTROL_TOTALS, FILINGS, INTO_LAKE, LAKE, PROFILE, ROSTER
from pipeline.quarantine import listed, record, retry
from pipeline.report.wording import visible

if TYPE_CHECKING:
    from pathlib import Path


@click.group("quarantine")
def quarantine() -> None:
    """Look at the records that cannot be read, and try them again."""


@quarantine.command("list")
@LAKE
@click.option("--reason", help="Only those whose reason holds this text.")
@click.option("--file", help="Only those of this file, as source_file names it.")
def list_command(lake: Path, reason: str | None, file: str | None) -> None:
    """List what lies in quarantine: id, file and line, size, reason."""
    rows = listed(lake, reason, file)
    for row in rows.iter_rows(named=True):
        click.echo(f"{row['id']}  {visible(row['source_file'])}:{row['source_line']}  {row['bytes']:,} bytes  {visible(row['reason'])}")
    click.echo(f"Records in quarantine: {rows.height}." if rows.height else "Nothing lies in quarantine.")


@quarantine.command("show")
@click.argument("named", metavar="ID|FILE:LINE")
@LAKE
def show_command(named: str, lake: Path) -> None:
    """Show a record as it was delivered; what is no text, or would move the cursor, is written out as an escape."""
    for row in record(lake, named).iter_rows(named=True):
        click.echo(f"{row['id']}  {visible(row['source_file'])}:{row['source_line']}")
        click.echo(f"{visible(row['reason'])}\n{visible(row['raw'])}")


@quarantine.command("retry")
@INTO_LAKE
@FILINGS
@PROFILE
@CHECKS
@CONTROL_TOTALS
@ROSTER
def retry_command(**paths: Any) -> None:
    """Read the lines of round logs in quarantine again, by today's filings, profile and program, and publish those that can be read.

    Ends with 0; 3 where what was published is not to be trusted.
    """
    with asked(inputs=(), command=typed(), **paths) as request:
        done = retry(request)
    click.echo(f"Lines tried again: {done.tried}; read and published now: {done.taken}; records left in quarantine: {done.left}.")
    if done.not_tried:
        click.echo(f"{done.not_tried} of them are no whole lines of a round log: they can only be delivered again.")
    for reason in done.untrusted:
        click.echo(f"not to be trusted: {reason}", err=True)
    if done.untrusted:
        sys.exit(3)
