"""``resettle pseudonym``: how a player is called in a pseudonymised lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import polars as pl

from pipeline.commands.options import PATH
from pipeline.feeds.pseudonyms import Pseudonyms

if TYPE_CHECKING:
    from pathlib import Path


@click.command("pseudonym")
@click.argument("player_ids", metavar="PLAYER_ID...", nargs=-1, required=True)
@click.option("--key", type=PATH, required=True, metavar="KEYFILE", help="The key that the lake was made with.")
def pseudonym_command(player_ids: tuple[str, ...], key: Path) -> None:
    """Print what stands in a pseudonymised lake in place of these player ids, a line each: to look up who asks after their own money."""
    for told in Pseudonyms.read(key).of(pl.Series(player_ids)):
        click.echo(told)
