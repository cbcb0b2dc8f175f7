"""``resettle remedy``: money that a wallet adjustment paid back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.commands.options import BY, LAKE
from pipeline.lake.remedies import record

if TYPE_CHECKING:
    from pathlib import Path


@click.command("remedy")
@click.argument("finding_id")
@LAKE
@click.option("--txn", required=True, help="The adjustment's id in the wallet's ledger.")
@click.option("--amount", "paid", required=True, help="What was paid, in the finding's currency, like 12.50.")
@BY
@click.option("--note", help="Why.")
def remedy_command(finding_id: str, lake: Path, txn: str, paid: str, by: str, note: str | None) -> None:
    """Record which wallet adjustment pays a finding back. What was recorded is never changed; the view remedy_status sums it up."""
    made = record(lake, finding_id, txn, paid, by, note)
    click.echo(f"{made.amount} {made.currency} to {made.player_id} recorded for finding {finding_id}; the view remedy_status sums up.")
