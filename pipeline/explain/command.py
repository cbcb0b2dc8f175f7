"""``resettle explain``."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.explain import text
from pipeline.explain.explained import explain, render
from pipeline.explain.sources import check_folders
from pipeline.filings.load import load_filings
from pipeline.what_if import only_filing

_PATH = click.Path(path_type=Path)

SOURCE = click.option(
    "--source", "folders", type=_PATH, multiple=True, help="Where the source files lie now, where they were moved; may be repeated."
)
OTHER = click.option("--filing", type=_PATH, help="A filing (TOML): say what it would have made due instead.")


@click.command("explain")
@click.argument("named", metavar="ID")
@click.option("--lake", type=_PATH, required=True, help="The folder that the audit publishes into.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.option("--studio", "studio_id", help="The studio, where two have the id.")
@click.option("--round", "round_id", help="The round, where wagers of several have the id.")
@OTHER
@SOURCE
def explain_command(
    named: str, lake: Path, *, as_json: bool, studio_id: str | None, round_id: str | None, filing: Path | None, folders: tuple[Path, ...]
) -> None:
    """Tell the story of a wager, a round or a finding: cards, rule, arithmetic, both engines, payment, wallet, cause and raw line."""
    check_folders(folders)
    other = None if filing is None else only_filing(load_filings(filing), str(filing))
    told = explain(lake, named, studio_id=studio_id, round_id=round_id, other=other, folders=folders)
    click.echo(render(told) if as_json else text.render(told), nl=False)
