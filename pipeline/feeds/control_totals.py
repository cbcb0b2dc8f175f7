"""The studio's control totals (``control-totals/1``): what it says it dealt and took, per table, gaming day and currency."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import InputError
from pipeline.core.schema import MONEY, Column, Table
from pipeline.feeds.csv_rows import CsvRow, read_csv_rows

if TYPE_CHECKING:
    from pathlib import Path

CONTROL_TOTALS: Final = Table(
    "control_totals",
    "what the studio says of a table, gaming day and currency",
    (
        Column("studio_id", pl.String, "the studio"),
        Column("table_id", pl.String, "the table"),
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("rounds", pl.Int64, "rounds dealt at the table on that day"),
        Column("first_round_id", pl.String, "the first of them; null where there is none"),
        Column("last_round_id", pl.String, "the last of them; null where there is none"),
        Column("handle", MONEY, "what was staked"),
        Column("returned", MONEY, "what was handed back"),
        Column("currency", pl.String, "ISO 4217 code of handle and returned"),
        Column("source_file", pl.String, "name of the file"),
        Column("source_line", pl.Int64, "line in that file, from 1"),
    ),
)

_COLUMNS: Final = tuple(c.name for c in CONTROL_TOTALS.columns[:9])
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def read_control_totals(path: Path) -> pl.DataFrame:
    """Read a CSV of control totals.

    Returns:
        The columns of ``CONTROL_TOTALS``, in the order of the file; amounts exact, in major units of ``currency``.

    Raises:
        InputError: the file, a column or a field cannot be read, or a table, day and currency stands twice; names file and line.
    """
    lines: dict[tuple[object, ...], int] = {}
    rows = []
    for row in read_csv_rows(path, _COLUMNS, "control totals"):
        read = _read(row)
        subject = (read["studio_id"], read["table_id"], read["gaming_day"], read["currency"])
        if subject in lines:
            said = f"{subject[0]} {subject[1]} {subject[2]} {subject[3]}"
            raise InputError(f"{said} already stands on line {lines[subject]}", row.where, "keep one line a table, day and currency")
        lines[subject] = row.line
        rows.append(read)
    return pl.DataFrame(rows, schema=CONTROL_TOTALS.schema)


def _read(row: CsvRow) -> dict[str, object]:
    currency = row.text("currency")
    if not _CURRENCY.fullmatch(currency):
        raise InputError(f"currency {currency!r} is no ISO 4217 code", row.where, "write three capital letters, like USD")
    rounds = row.count("rounds")
    named = row.text if rounds else row.optional_text
    return {
        "studio_id": row.text("studio_id"),
        "table_id": row.text("table_id"),
        "gaming_day": row.day("gaming_day"),
        "rounds": rounds,
        "first_round_id": named("first_round_id"),
        "last_round_id": named("last_round_id"),
        "handle": row.amount("handle"),
        "returned": row.amount("returned"),
        "currency": currency,
        "source_file": row.file,
        "source_line": row.line,
    }
