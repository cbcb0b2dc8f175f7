"""The ``resettle`` command."""

from __future__ import annotations

from typing import Any

import click

from pipeline.commands.ask import ask
from pipeline.commands.audit import audit_command
from pipeline.commands.case import case_command
from pipeline.commands.explain import explain_command
from pipeline.commands.export import export_command
from pipeline.commands.filing import edge_command, filing
from pipeline.commands.findings import findings
from pipeline.commands.lake import lake
from pipeline.commands.pseudonym import pseudonym_command
from pipeline.commands.quarantine import quarantine
from pipeline.commands.query import query_command
from pipeline.commands.remedy import remedy_command
from pipeline.commands.simulate import simulate_command
from pipeline.commands.verify import verify_command
from pipeline.lake.disk import narrow_permissions
from pipeline.last_resort import UNFORESEEN, in_words


class Group(click.Group):
    """Says every error in one line, and ends with its exit code. What it creates is for its owner and group only."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        narrow_permissions()
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.exceptions.Abort, click.exceptions.NoArgsIsHelpError, BrokenPipeError):
            raise
        except click.UsageError as wrong:
            where = (wrong.ctx or ctx).command_path
            click.echo(f"resettle: {where}: {wrong.format_message().rstrip('.')} (`{where} --help` says what it takes)", err=True)
            ctx.exit(2)
        except click.ClickException:
            raise
        except KeyboardInterrupt:
            click.echo("resettle: stopped; the lake holds its last whole state", err=True)
            ctx.exit(130)
        except UNFORESEEN as unforeseen:
            error = in_words(unforeseen)
            click.echo(f"resettle: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="resettle")
def main() -> None:
    """Audit live-dealer Three Card Poker: re-settle every wager under the filed paytable and name each difference."""


for command in (
    audit_command, ask, query_command, export_command, explain_command, case_command, findings, remedy_command, quarantine, verify_command,
    lake, pseudonym_command, filing, edge_command, simulate_command,
):  # fmt: skip
    main.add_command(command)
