"""``resettle remedy``: money that a wallet adjustment paid back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.commands.options import BY, LAKE
from pipeline.lake.remedies import Payee, record

if TYPE_CHECKING:
    from pathlib import Path


@click.command("remedy")
@click.argument("named", metavar="ID")
@LAKE
@click.option("--txn", required=True, help="The adjustment's id in the wallet's ledger.")
@click.option("--amount", "paid", required=True, help="What was paid, in the finding's currency, like 12.50.")
@click.option("--player", "player_id", help="Whom it pays, where an incident owes several.")
@click.option("--operator", "operator_id", help="Their operator, where two have a player of that id.")
@click.option("--currency", help="In which currency, where the incident owes the player several.")
@BY
@click.option("--note", help="Why.")
def remedy_command(named: str, lake: Path, txn: str, paid: str, by: str, note: str | None, **payee: str | None) -> None:
    """Record which wallet adjustment pays a finding or an incident back, by its ID or the beginning of it.

    A remedy of an incident pays one player in one currency. What was recorded is never changed; the view remedy_status sums it up.
    """
    made = record(lake, named, txn, paid, by, note, Payee(**payee))
    what = f"incident {made.incident_id}" if isinstance(made.incident_id, str) else f"finding {made.finding_id}"
    click.echo(f"{made.amount} {made.currency} to {made.player_id} recorded for {what}; the view remedy_status sums up.")
