"""``resettle findings``: the life of a finding, from the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pipeline.ask.query import connect, select
from pipeline.commands.options import BY, DAY, LAKE
from pipeline.core.money import amount
from pipeline.lake.finding_life import STATUSES
from pipeline.lake.follow_ups import record
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report.wording import count, visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

_IDS = click.argument("finding_ids", nargs=-1, required=True)
_WHY = click.option("--note", required=True, help="Why.")
_NOTE = click.option("--note", help="What is to be said.")
_LISTED = """
    SELECT
        finding_id, severity, status, assignee, check_id, studio_id, gaming_day, table_id, round_id, wager_id, currency, delta, message,
        last_note
    FROM finding_status
    WHERE
        stands
        AND if($status IS NULL, status <> 'closed', status = $status)
        AND if($severity IS NULL, severity <> 'info', severity = $severity)
        AND ($check IS NULL OR check_id = $check)
        AND ($day IS NULL OR gaming_day = $day)
        AND ($assignee IS NULL OR assignee = $assignee)
    ORDER BY
        severity_rank(severity), gaming_day DESC, check_id, table_id, round_id, wager_id, finding_id
"""


@click.group("findings")
def findings() -> None:
    """Look after findings. What is recorded stands beside them for good; a finding itself is never altered."""


@findings.command("list")
@LAKE
@click.option("--status", type=click.Choice(["open", *STATUSES.values(), "reopened"]), help="Only these; left out: all but closed ones.")
@click.option("--severity", type=click.Choice(SEVERITIES), help="Only these; left out: all but info.")
@click.option("--check", help="Only those of this check.")
@click.option("--gaming-day", type=DAY, help="Only those of this gaming day.")
@click.option("--assignee", help="Only those assigned to this person.")
def list_command(lake: Path, gaming_day: datetime | None, **asked: str | None) -> None:
    """List findings and how they stand: what is not closed, the gravest first."""
    with connect(lake) as con:
        rows = select(con, _LISTED, {**asked, "day": gaming_day.date() if gaming_day else None}).pl()
    for row in rows.iter_rows(named=True):
        stands = row["status"] + (f" ({visible(row['assignee'])})" if row["assignee"] else "")
        worth = f"  {amount(row['delta'], row['currency'], signed=True)}" if row["delta"] else ""
        where = " ".join(visible(row[name]) for name in ("studio_id", "table_id", "round_id", "wager_id") if row[name])
        click.echo(f"{row['finding_id']}  {row['severity']:<8}  {stands}  {visible(row['check_id'])}{worth}  {row['gaming_day']}  {where}")
        click.echo(f"    {visible(row['message'])}")
        if row["last_note"]:
            click.echo(f"    note: {visible(row['last_note'])}")
    click.echo(f"{count(rows.height, 'finding')}." if rows.height else "No finding.")


def _command(name: str, told: str, *options: Callable[..., Any]) -> None:
    def run(finding_ids: tuple[str, ...], lake: Path, by: str, note: str | None, assignee: str | None = None) -> None:
        made = record(lake, finding_ids, name, by, note, assignee)
        click.echo(f"{count(len(made), 'finding')} {STATUSES.get(name, 'noted')}; resettle ask finding_life tells the history of one.")

    command: Callable[..., Any] = run
    for option in reversed((_IDS, LAKE, BY, *options)):
        command = option(command)
    findings.command(name, help=told)(command)


_command("note", "Add a note to findings.", _WHY)
_command("assign", "Assign findings to someone.", click.option("--to", "assignee", required=True, help="Who is to look at them."), _NOTE)
_command("accept", "Accept findings: they are right, and something is to be done.", _NOTE)
_command("dispute", "Dispute findings, and say why.", _WHY)
_command("close", "Close findings, and say why. One that is gone and comes back, or says something else, is reopened by itself.", _WHY)
