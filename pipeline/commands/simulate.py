"""``resettle simulate``: the options, and the sentence it ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from pipeline.core.errors import ResettleError
from pipeline.simulate.faults import FAULTS, known
from pipeline.simulate.settings import COMPRESSIONS, Settings, parse_fault, parse_incident, parse_tables
from pipeline.simulate.variants import VARIANTS
from pipeline.simulate.write import Simulated, simulate

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write into."),
    click.option("--seed", type=int, required=True, help="Decides everything: the same seed and options give the same bytes."),
    click.option("--rounds", type=int, help="Rounds over all tables and days (default 300)."),
    click.option("--wagers", type=int, help="About this many wagers instead; sets rounds, and players a round."),
    click.option("--days", type=int, default=1, show_default=True, help="Gaming days."),
    click.option("--start", type=click.DateTime(["%Y-%m-%d"]), default="2026-10-31", show_default=True, help="First gaming day."),
    click.option("--tables", default="TCP-01=shared,TCP-02=draw,TCP-03=seated", show_default=True, help="ID=KIND, comma-separated."),
    click.option("--players", type=int, default=6, show_default=True, help="Players a round at a shared table."),
    click.option("--fault", "faults", multiple=True, help="NAME=RATE: plant a fault in this share of rounds; 'all=RATE' for each."),
    click.option("--incident", "incidents", multiple=True, help="NAME@TABLE:FIRST-LAST: pay wrongly throughout these sequence numbers."),
    click.option("--variant", "variants", multiple=True, help="NAME: a fault of what was filed, like rule_not_licensed."),
    click.option("--honest", is_flag=True, help="Plant nothing (the default); refuses --fault, --incident and --variant."),
    click.option("--compression", type=click.Choice([name for name in COMPRESSIONS if name]), help="Compress the two NDJSON files."),
    click.option("--jobs", type=int, default=1, show_default=True, help="Processes."),
    click.option(
        "--list-faults", is_flag=True, is_eager=True, expose_value=False, callback=lambda c, _, on: _list_faults(c) if on else None
    ),
)


def _simulate_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _list_faults(context: click.Context) -> None:
    for name, fault in sorted(FAULTS.items()):
        click.echo(f"{name:28} {fault.about}")
    for name in VARIANTS:
        click.echo(f"{name:28} with --variant: of what was filed")
    context.exit()


def settings_from(
    *,
    seed: int,
    rounds: int | None,
    wagers: int | None,
    days: int,
    start: datetime,
    tables: str,
    players: int,
    faults: tuple[str, ...],
    incidents: tuple[str, ...],
    variants: tuple[str, ...],
    honest: bool,
    compression: str | None,
    jobs: int,
) -> Settings:
    """The options as settings.

    Raises:
        ResettleError: options that contradict one another, or cannot be read.
    """
    if honest and (faults or incidents or variants):
        raise ResettleError("an honest day has no fault", "--honest", "leave out --fault, --incident and --variant, or --honest")
    if rounds is not None and wagers is not None:
        raise ResettleError("--rounds and --wagers both say how much", "--wagers", "give one of them")
    rates: dict[str, float] = {}
    for name, rate in map(parse_fault, faults):
        named = [fault for fault, definition in FAULTS.items() if definition.by_default] if name == "all" else [known(name).name]
        rates |= dict.fromkeys(named, rate)
    planned = tuple(map(parse_incident, incidents))
    for incident in planned:
        if known(incident.fault).twist is None:
            raise ResettleError(f"{incident.fault} is no way to pay", "--incident", "give a fault of money that is one broken rule")
    first = date(start.year, start.month, start.day)
    return Settings(
        seed=seed,
        rounds=rounds if rounds is not None else 300,
        wagers=wagers,
        days=days,
        start=first,
        tables=parse_tables(tables),
        players=players,
        faults=rates,
        incidents=planned,
        variants=variants,
        compression=compression or "",
        jobs=jobs,
    )


def _closing_line(done: Simulated, out: Path) -> str:
    counted = Counter(truth.check for truth in done.truths)
    wrong = ", ".join(f"{check} {count}" for check, count in sorted(counted.items())) or "nothing"
    return f"{done.rounds:,} rounds and {done.wagers:,} wagers in {out}; planted: {wrong}"


@click.command("simulate")
@_simulate_options
def simulate_command(out: Path, **options: Any) -> None:
    """Deal studio days, honest or with planted faults, with the truth beside them."""
    click.echo(_closing_line(simulate(settings_from(**options), out), out))
