"""``resettle lake sign``: for who keeps the key away from the machine that audits."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.core.errors import LakeError
from pipeline.lake import signature, writing

PATH = click.Path(path_type=Path)


@click.command("sign")
@click.argument("lake", type=PATH)
@click.option("--key", type=PATH, required=True, help="A private Ed25519 key (PEM): openssl genpkey -algorithm ed25519 -out KEY.")
def sign_command(lake: Path, key: Path) -> None:
    """Sign what the lake shows now, and with it everything before."""
    private = signature.read_private_key(key)
    if not lake.is_dir():
        raise LakeError("there is no lake here", str(lake), "name the folder that holds current.json")
    with writing(lake) as opened:
        if opened.state is None:
            raise LakeError("there is no lake here", str(lake), "name the folder that holds current.json")
        made = signature.sign(opened.root, opened.state, private)
    click.echo(f"{lake}: publish {made.number} is signed by {made.public_key}.")
