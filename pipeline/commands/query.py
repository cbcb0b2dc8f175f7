"""``resettle query``: a lake asked in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.ask.query import FORMATS, connect, render, select
from pipeline.commands.options import AS_OF, LAKE

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@click.command("query")
@click.argument("sql")
@LAKE
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@AS_OF
def query_command(sql: str, lake: Path, form: str, as_of: datetime | None) -> None:
    """Ask the lake one SELECT."""
    with connect(lake, as_of) as con:
        click.echo(render(select(con, sql), form), nl=False)
