"""The nightly flow from a command line; what ``make audit`` runs."""

from __future__ import annotations

import sys
from typing import Any, cast

import click

from flows.nightly_audit import nightly_audit
from pipeline.cli import audit_options, show
from pipeline.lake.disk import narrow_permissions
from pipeline.last_resort import in_words


@click.command()
@audit_options
def run(gaming_day: None, **options: Any) -> None:
    """Run the nightly flow and print its summary. Ends with 0 when the run completed, whatever it found; 2 or 3 when it did not."""
    del gaming_day
    narrow_permissions()
    state = nightly_audit(**options, return_state=True)
    if state.is_completed():
        show(state.result())
        return
    error = in_words(cast("Exception", state.result(raise_on_failure=False)))
    click.echo(f"resettle: {error}", err=True)
    sys.exit(error.exit_code)
