"""``resettle case``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipeline.case.bundle import write_case
from pipeline.case.gathered import gather
from pipeline.case.scope import Scope
from pipeline.case.verify import verify_case
from pipeline.explain.command import OTHER, SOURCE
from pipeline.explain.sources import check_folders
from pipeline.filings.load import load_filings
from pipeline.instant import Instant
from pipeline.report.wording import count, visible
from pipeline.what_if import only_filing

_PATH = click.Path(path_type=Path)


@click.command("case")
@click.option("--lake", type=_PATH, required=True, help="The folder that the audit publishes into.")
@click.option("--out", type=_PATH, required=True, help="The folder to write; new or empty.")
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
@OTHER
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


def show_verified(case: Path, head: str | None) -> None:
    """Check a case file and say what is in it."""
    found = verify_case(case, head)
    held = f"{count(found.rounds, 'round')}, {count(found.records, 'raw record')}, {count(found.files, 'file')} ({found.bytes:,} bytes)"
    click.echo(f"{held}: everything fits.")
    click.echo(f"digest of the case: {found.sha256}")
    for why in found.missing:
        click.echo(f"not in it: {visible(why)}")
