"""``resettle explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.commands.options import LAKE, OTHER_FILING, SOURCE
from pipeline.explain import text
from pipeline.explain.explained import explain, render
from pipeline.explain.sources import check_folders
from pipeline.filings.load import load_filings
from pipeline.what_if import only_filing

if TYPE_CHECKING:
    from pathlib import Path


@click.command("explain")
@click.argument("named", metavar="ID")
@LAKE
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--studio", "studio_id", help="The studio, where two have the id.")
@click.option("--round", "round_id", help="The round, where wagers of several have the id.")
@OTHER_FILING
@SOURCE
def explain_command(
    named: str, lake: Path, *, as_json: bool, studio_id: str | None, round_id: str | None, filing: Path | None, folders: tuple[Path, ...]
) -> None:
    """Tell the story of a wager, a round or a finding: cards, rule, arithmetic, both engines, payment, wallet, cause and raw line.

    A finding may be named by an unmistakable beginning of its id.
    """
    check_folders(folders)
    other = None if filing is None else only_filing(load_filings(filing), str(filing))
    told = explain(lake, named, studio_id=studio_id, round_id=round_id, other=other, folders=folders)
    click.echo(render(told) if as_json else text.render(told), nl=False)
