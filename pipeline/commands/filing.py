"""``resettle filing`` and ``resettle edge``: what was filed, in words and figures."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pipeline.commands.options import DAY, LAKE_FOLDER, PATH
from pipeline.core.errors import ResettleError
from pipeline.core.money import amount
from pipeline.filings.difference import difference
from pipeline.filings.edge_words import edge_text
from pipeline.filings.load import load_filings
from pipeline.filings.words import describe, wager_in_words
from pipeline.what_if import money_effect, only_filing

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@click.group("filing")
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
@click.option("--lake", type=LAKE_FOLDER, help="Also say what the other would have made due on a day of this lake.")
@click.option("--gaming-day", type=DAY, help="The day, with --lake.")
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


@click.command("edge")
@click.argument("path", type=PATH)
def edge_command(path: Path) -> None:
    """The exact house edge of each wager of a filing, by enumeration of every deal."""
    click.echo(edge_text(load_filings(path)), nl=False)
