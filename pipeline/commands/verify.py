"""``resettle verify``: of a lake, and of a case file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.case.verify import verify_case
from pipeline.commands.options import LAKE_FOLDER, LAKE_HELP, PATH
from pipeline.core.errors import ResettleError
from pipeline.lake import verify
from pipeline.lake.signature import read_public_key
from pipeline.report.wording import count, visible

if TYPE_CHECKING:
    from pathlib import Path


@click.command("verify")
@click.argument("case", type=PATH, required=False)
@click.option("--lake", type=LAKE_FOLDER, help=LAKE_HELP)
@click.option("--head", help="A head of the chain, or the digest of a case, that you kept elsewhere: it must be in there.")
@click.option("--signed-by", type=PATH, metavar="KEY", help="A public Ed25519 key (PEM): what is current in the lake must be signed by it.")
def verify_command(case: Path | None, lake: Path | None, head: str | None, signed_by: Path | None) -> None:
    """Check that nothing in the lake, or in a case file, was lost, changed or replaced."""
    if case is not None and lake is None and signed_by is None:
        _verify_case(case, head)
        return
    if case is not None or lake is None:
        raise ResettleError("one thing is verified at a time", "verify", "name the folder of a case, or a lake with --lake")
    found = verify(lake, head, None if signed_by is None else read_public_key(signed_by))
    click.echo(
        f"{count(found.publishes, 'publish', 'publishes')}, {count(found.partitions, 'current night')}, "
        f"{count(found.files, 'file')} ({found.bytes:,} bytes): everything fits."
    )
    click.echo(f"head of the chain: {found.manifest_sha256}\nhead of the records: {found.run_sha256}")
    for file, last in found.beside.items():
        click.echo(f"head of {file}: {last}")
    click.echo(f"signed by {found.signed_by}" if found.signed_by else "not signed")
    for stray in found.strays:
        click.echo(f"not of this lake, and shown in no view: {stray}")


def _verify_case(case: Path, head: str | None) -> None:
    found = verify_case(case, head)
    held = f"{count(found.rounds, 'round')}, {count(found.records, 'raw record')}, {count(found.files, 'file')} ({found.bytes:,} bytes)"
    click.echo(f"{held}: everything fits.")
    click.echo(f"digest of the case: {found.sha256}")
    for why in found.missing:
        click.echo(f"not in it: {visible(why)}")
