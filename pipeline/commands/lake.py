"""``resettle lake``: mend and sign a lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.commands.options import LAKE_FOLDER, PATH
from pipeline.core.errors import LakeError
from pipeline.lake import relocate, signature, writing

if TYPE_CHECKING:
    from pathlib import Path


@click.group("lake")
def lake() -> None:
    """Look after a lake."""


@lake.command("here")
@click.argument("folder", metavar="LAKE", type=LAKE_FOLDER)
def here_command(folder: Path) -> None:
    """Mend a lake that was moved: its views then read the files where they lie now."""
    click.echo(f"{folder}: publish {relocate(folder).number} is shown from here now.")


@lake.command("sign")
@click.argument("folder", metavar="LAKE", type=LAKE_FOLDER)
@click.option("--key", type=PATH, required=True, help="A private Ed25519 key (PEM): openssl genpkey -algorithm ed25519 -out KEY.")
def sign_command(folder: Path, key: Path) -> None:
    """Sign what the lake shows now, and with it everything before: for who keeps the key away from the machine that audits."""
    private = signature.read_private_key(key)
    if not folder.is_dir():
        raise LakeError("there is no lake here", str(folder), "name the folder that holds current.json")
    with writing(folder) as opened:
        if opened.state is None:
            raise LakeError("there is no lake here", str(folder), "name the folder that holds current.json")
        made = signature.sign(opened.root, opened.state, private)
    click.echo(f"{folder}: publish {made.number} is signed by {made.public_key}.")
