"""``resettle quarantine``: what cannot be read, looked at and tried again."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from pipeline.audit import Request
from pipeline.quarantine import listed, record, retry

_PATH = click.Path(path_type=Path)
_LAKE = click.option("--lake", type=_PATH, required=True, help="The folder that the audit publishes into.")


@click.group("quarantine")
def quarantine() -> None:
    """Look at the records that cannot be read, and try them again."""


@quarantine.command("list")
@_LAKE
@click.option("--reason", help="Only those whose reason holds this text.")
@click.option("--file", help="Only those of this file, as source_file names it.")
def list_command(lake: Path, reason: str | None, file: str | None) -> None:
    """List what lies in quarantine: id, file and line, size, reason."""
    rows = listed(lake, reason, file)
    for row in rows.iter_rows(named=True):
        click.echo(f"{row['id']}  {printable(row['source_file'])}:{row['source_line']}  {row['bytes']:,} bytes  {printable(row['reason'])}")
    click.echo(f"Records in quarantine: {rows.height}." if rows.height else "Nothing lies in quarantine.")


@quarantine.command("show")
@click.argument("named", metavar="ID|FILE:LINE")
@_LAKE
def show_command(named: str, lake: Path) -> None:
    """Show a record as it was delivered; what is no text, or would move the cursor, is written out as an escape."""
    for row in record(lake, named).iter_rows(named=True):
        click.echo(f"{row['id']}  {printable(row['source_file'])}:{row['source_line']}")
        click.echo(f"{printable(row['reason'])}\n{printable(row['raw'])}")


@quarantine.command("retry")
@_LAKE
@click.option("--filings", type=_PATH, required=True, help="What the operators filed: a folder of TOML files, or one.")
@click.option("--profile", type=_PATH, help="The feed profile, as to `resettle audit`.")
@click.option("--checks", type=_PATH, help="A folder of your own checks, run beside the project's.")
@click.option("--control-totals", type=_PATH, help="The studio's control totals (CSV).")
@click.option("--roster", type=_PATH, help="The dealers' roster (CSV).")
def retry_command(**paths: Any) -> None:
    """Read the lines of round logs in quarantine again, by today's filings, profile and program, and publish those that can be read.

    Ends with 0; 3 where what was published is not to be trusted.
    """
    done = retry(Request((), command=shlex.join(["resettle", *sys.argv[1:]]), **paths))
    click.echo(f"Lines tried again: {done.tried}; read and published now: {done.taken}; records left in quarantine: {done.left}.")
    if done.not_tried:
        click.echo(f"{done.not_tried} of them are no whole lines of a round log: they can only be delivered again.")
    for reason in done.untrusted:
        click.echo(f"not to be trusted: {reason}", err=True)
    if done.untrusted:
        sys.exit(3)


def printable(told: bytes | str) -> str:
    """The text with everything that is not printed as itself, line feeds too, written out."""
    text = told.decode("utf-8", "backslashreplace") if isinstance(told, bytes) else told
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
