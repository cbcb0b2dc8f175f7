"""``resettle ask``: the ready questions of ``sql/queries/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.ask.query import FORMATS, connect, render, select
from pipeline.ask.questions import listed, question, questions
from pipeline.commands.options import AS_OF, LAKE_FOLDER, LAKE_HELP, PARAMS
from pipeline.core.errors import ResettleError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path


@click.command()
@click.argument("name", required=False)
@click.option("--list", "show_list", is_flag=True, help="List the questions, or say what the one named takes.")
@click.option("--lake", type=LAKE_FOLDER, help=LAKE_HELP)
@PARAMS
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@AS_OF
def ask(name: str | None, lake: Path | None, params: tuple[str, ...], form: str, as_of: datetime | None, *, show_list: bool) -> None:
    """Ask the lake a ready question. What there is to ask: resettle ask --list."""
    if show_list:
        click.echo(_listing(name))
        return
    if name is None or lake is None:
        missing = "a question" if name is None else "--lake"
        raise ResettleError(f"{missing} is missing", "ask", "like: resettle ask findings_by_check --lake lake; resettle ask --list")
    asked = question(name)
    bound = asked.bound(given_params(params))
    with connect(lake, as_of) as con:
        click.echo(render(select(con, asked.sql, bound), form), nl=False)


def given_params(params: Iterable[str]) -> dict[str, str]:
    """What ``--param NAME=VALUE`` gave, by name.

    Raises:
        ResettleError: one is no such pair, or given twice.
    """
    given: dict[str, str] = {}
    for told in params:
        name, equals, value = told.partition("=")
        if not equals:
            raise ResettleError(f"{told!r} is not a name and a value", "--param", "write it like day=2026-10-31")
        if name in given:
            raise ResettleError(f"{name} is given twice", "--param", "give it once")
        given[name] = value
    return given


def _listing(name: str | None) -> str:
    if name is None:
        return "\n".join(listed(questions()))
    asked = question(name)
    takes = [f"  {one.name}: {one.meaning} ({one.rule})" for one in asked.parameters]
    return "\n".join([f"{asked.name}: {asked.text}", *takes, f"  {asked.example}"])
