"""``resettle export``: a table, a ready question's answer or a SELECT as a file for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.ask.export import export
from pipeline.ask.query import connect, select
from pipeline.ask.questions import question
from pipeline.commands.ask import given_params
from pipeline.commands.options import AS_OF, DAY, LAKE, PARAMS, PATH
from pipeline.core.errors import ResettleError
from pipeline.lake.scan import name as quoted
from pipeline.report.wording import count

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@click.command("export")
@click.argument("table", required=False)
@LAKE
@click.option("--out", type=PATH, required=True, help="The file to write: .csv, .parquet, .xlsx, .json or .ndjson.")
@click.option("--question", "asked", metavar="NAME", help="Export the answer to a ready question instead of a table.")
@PARAMS
@click.option("--sql", help="Export what a SELECT says instead of a table.")
@click.option("--gaming-day", type=DAY, help="Only this gaming day of the table.")
@AS_OF
def export_command(
    table: str | None,
    lake: Path,
    out: Path,
    asked: str | None,
    params: tuple[str, ...],
    sql: str | None,
    gaming_day: datetime | None,
    as_of: datetime | None,
) -> None:
    """Write a table or view of the lake to a file, as CSV, Parquet, Excel or JSON.

    In CSV, a text that a spreadsheet would run as a formula gets an apostrophe in front. In Excel, an amount that a cell cannot hold to the
    last digit is written as text.
    """
    if sum(one is not None for one in (table, asked, sql)) != 1:
        raise ResettleError(
            "say what: a table, --question or --sql", "export", "like: resettle export findings --lake lake --out findings.xlsx"
        )
    if out.resolve().is_relative_to(lake.resolve()):
        raise ResettleError("lies in the lake", str(out), "name a file elsewhere")
    with connect(lake, as_of) as con:
        bound: dict[str, object] = {}
        if asked is not None:
            ready = question(asked)
            sql, bound = ready.sql, ready.bound(given_params(params))
        elif table is not None:
            known = {one for (one,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}
            if table not in known:
                raise ResettleError(f"the lake has no table {table}", "export", f"it has: {', '.join(sorted(known))}")
            sql = f"FROM {quoted(table)}"
            if gaming_day is not None:
                sql, bound = f"{sql} WHERE gaming_day = $day", {"day": gaming_day.date()}
        rows = export(select(con, sql or "", bound), out, asked or table or "rows")
    click.echo(f"{out}: {count(rows, 'row')}.")
