"""The flows from a command line: ``python -m flows INPUT…``, which ``make audit`` runs, and ``python -m flows backfill INPUT…``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from flows.nightly_audit import nightly_audit, same_by_hand
from pipeline.asked import asked
from pipeline.commands.audit import audit_options, show
from pipeline.core.errors import ResettleError
from pipeline.lake.disk import narrow_permissions
from pipeline.last_resort import UNFORESEEN, in_words
from pipeline.reconcile.catalogue import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.audit import Outcome


@click.command()
@audit_options
@click.option("--notify", multiple=True, help="Tell this webhook's address, or Prefect block (type/name), of findings; may be repeated.")
@click.option("--notify-at", type=click.Choice(SEVERITIES), default="critical", show_default=True, help="Tell of such findings and graver.")
@click.option("--report-address", help="Where the report can be read, for the notice.")
def run(**options: Any) -> None:
    """Run the nightly flow and print its summary. Ends with 0 when the run completed, whatever it found; 2 or 3 when it did not."""
    _shown(lambda: nightly_audit(**options))


@click.command(name="backfill")
@audit_options
@click.option("--cluster", metavar="ADDRESS", help="The Dask scheduler whose workers are to do it, like tcp://10.0.0.5:8786.")
@click.option(
    "--workers", type=click.IntRange(1), default=max(1, (os.cpu_count() or 1) // 2), show_default=True,
    help="Without --cluster: how many processes of this machine.",
)  # fmt: skip
def run_backfill(cluster: str | None, workers: int, **options: Any) -> None:
    """Make deliveries of many nights current in a lake, the nights side by side on the workers of a Dask cluster.

    What is current stays as it is; run it again to go on after it was stopped. Ends as the nightly flow does.
    """
    _shown(lambda: _backfilled(options, cluster, workers))


def _backfilled(options: dict[str, Any], cluster: str | None, workers: int) -> Outcome:
    try:
        from flows.backfill import backfill_flow, runner  # noqa: PLC0415  (an extra that the nightly flow can do without)
    except ModuleNotFoundError as error:
        raise ResettleError(f"needs {error.name}, which is not installed", "backfill", "pip install 'resettle[cluster]'") from error
    with asked(command=same_by_hand(options), **options) as request:
        return backfill_flow.with_options(task_runner=runner(cluster, workers))(request)


def _shown(flow: Callable[[], Outcome]) -> None:
    narrow_permissions()
    try:
        show(flow())
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
