"""``resettle case``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pipeline.case.bundle import write_case
from pipeline.case.gathered import gather
from pipeline.case.scope import Scope
from pipeline.commands.options import LAKE, OTHER_FILING, PATH, SOURCE, Instant
from pipeline.explain.sources import check_folders
from pipeline.filings.load import load_filings
from pipeline.report.wording import count, visible
from pipeline.what_if import only_filing

if TYPE_CHECKING:
    from pathlib import Path


@click.command("case")
@LAKE
@click.option("--out", type=PATH, required=True, help="The folder to write; new or empty.")
@click.option("--round", "rounds", multiple=True, metavar="ID", help="This round; may be repeated.")
@click.option("--player", metavar="ID", help="The rounds of this player.")
@click.option("--operator", metavar="ID", help="With --player: of this operator.")
@click.option("--table", metavar="ID", help="The rounds of this table.")
@click.option("--dealer", metavar="ID", help="The rounds of this dealer.")
@click.option("--studio", metavar="ID", help="Of this studio only.")
@click.option("--from", "since", type=Instant(), metavar="TIME", help="Rounds from this time on: RFC 3339 with its offset.")
@click.option("--to", "until", type=Instant(), metavar="TIME", help="Rounds up to this time.")
@click.option("--finding", metavar="ID", help="The round of this finding; of one about a table and day, its rounds.")
@click.option("--incident", metavar="ID", help="The rounds of this incident.")
@click.option("--reveal", is_flag=True, help="Show player ids, and the raw records, on the page.")
@OTHER_FILING
@SOURCE
def case_command(lake: Path, out: Path, *, reveal: bool, filing: Path | None, folders: tuple[Path, ...], **scope: Any) -> None:
    """Write the case file of some rounds: a page, the data behind it, and the evidence, with a digest of everything.

    What is asked for narrows: a round must fit all of it. Player ids are masked on the page unless --reveal; the data and the
    evidence hold them.
    """
    check_folders(folders)
    other = None if filing is None else only_filing(load_filings(filing), str(filing))
    gathered = gather(lake, Scope(**scope), other, folders)
    digest = write_case(gathered, out, reveal=reveal)
    click.echo(f"{out / 'case.html'}: {count(len(gathered.rounds), 'round')}, {count(len(gathered.found.records), 'raw record')}.")
    click.echo(f"digest of the case: {digest}")
    for why in sorted(gathered.found.missing.values()):
        click.echo(f"evidence is missing: {visible(why)}", err=True)
