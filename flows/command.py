"""The nightly flow from a command line; what ``make audit`` runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from flows.nightly_audit import nightly_audit
from pipeline.commands.audit import audit_options, show
from pipeline.core.errors import ResettleError
from pipeline.lake.disk import narrow_permissions
from pipeline.last_resort import UNFORESEEN, in_words
from pipeline.reconcile.catalogue import SEVERITIES

if TYPE_CHECKING:
    from datetime import datetime


@click.command()
@audit_options
@click.option("--notify", multiple=True, help="Tell this webhook's address, or Prefect block (type/name), of findings; may be repeated.")
@click.option("--notify-at", type=click.Choice(SEVERITIES), default="critical", show_default=True, help="Tell of such findings and graver.")
@click.option("--report-address", help="Where the report can be read, for the notice.")
def run(gaming_day: datetime | None, **options: Any) -> None:
    """Run the nightly flow and print its summary. Ends with 0 when the run completed, whatever it found; 2 or 3 when it did not."""
    narrow_permissions()
    try:
        show(nightly_audit(gaming_day=gaming_day.date() if gaming_day else None, **options))
    except UNFORESEEN as fault:
        error = _told(fault)
    else:
        return
    click.echo(f"resettle: {error}", err=True)
    sys.exit(error.exit_code)


def _told(fault: BaseException) -> ResettleError:
    """The fault in words; that Prefect could not start has words of its own, since the audit does not need it."""
    said = in_words(fault)
    if "Prefect" in str(fault):
        way_out = f"`resettle audit` does the same without it; {said.way_out}"
        return ResettleError("Prefect's embedded server did not start", "flows", way_out)
    return said
