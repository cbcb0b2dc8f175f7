"""Rows for spreadsheets: text that a spreadsheet would take for a formula is made harmless, amounts keep every digit."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import xlsxwriter

from pipeline.core.errors import ResettleError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS: Final = 1_048_575
"""Rows that a worksheet holds below its heading."""

_RISKY: Final = "^\\s*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""What a spreadsheet may run as a formula when it opens a CSV."""
_LONGEST: Final = 32_767
_DIGITS: Final = 15
_WIDE: Final = Context(prec=60)
_CUT: Final = " … (cut: a cell holds no more; export as csv)"


def harmless(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with an apostrophe before each text, and each column's name, that a spreadsheet would take for a formula."""
    texts = [name for name, kind in rows.schema.items() if kind == pl.String]
    held = rows.with_columns(
        pl.when(pl.col(name).str.contains(_RISKY)).then(pl.lit("'") + pl.col(name)).otherwise(pl.col(name)).alias(name) for name in texts
    )
    return held.rename({name: f"'{name}" for name in held.columns if re.match(_RISKY, name)})


def write_workbook(path: Path, title: str, columns: list[str], batches: Iterable[pl.DataFrame]) -> int:
    """Writes rows as an Excel workbook with one worksheet, whose cells have the columns' types; returns how many rows.

    Numbers that a cell cannot hold to the last digit are written as text. Times are in UTC, to the millisecond.

    Raises:
        ResettleError: there are more rows than a worksheet holds.
    """
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(path), options) as book:
        sheet = book.add_worksheet(re.sub(r"[\[\]:*?/\\']", " ", title)[:31] or "rows")
        cells = _Cells(book, sheet)
        sheet.set_column(0, max(len(columns) - 1, 0), 16)
        sheet.freeze_panes(1, 0)
        for place, name in enumerate(columns):
            cells.text(0, place, name, cells.heading)
        number = 0
        for rows in batches:
            for row in rows.iter_rows():
                number += 1
                if number > MOST_ROWS:
                    raise ResettleError(f"has more than {MOST_ROWS:,} rows", "a worksheet", "export as csv or parquet, or ask for less")
                for place, value in enumerate(row):
                    cells.write(number, place, value)
        if columns:
            sheet.autofilter(0, 0, number, len(columns) - 1)
    return number


class _Cells:
    """Writes values into a worksheet, each by its type."""

    def __init__(self, book: Workbook, sheet: Worksheet) -> None:
        self._sheet = sheet
        self.heading: Format = book.add_format({"bold": True, "bottom": 1})
        self._quoted = book.add_format({"quote_prefix": True})
        self._exact = book.add_format({"align": "right", "num_format": "@"})
        self._amount = book.add_format({"num_format": "#,##0.00####"})
        self._number = book.add_format({"num_format": "0"})
        self._day = book.add_format({"num_format": "yyyy-mm-dd"})
        self._time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})

    def write(self, row: int, place: int, value: Any) -> None:
        """Writes one cell; nothing for a null."""
        sheet = self._sheet
        if value is None:
            return
        if isinstance(value, bool):
            sheet.write_boolean(row, place, value)
        elif isinstance(value, int | Decimal):
            exact = Decimal(value)
            # Sixteen digits and more no cell can hold; a Decimal is written digit by digit, a float would not be.
            if len(exact.normalize(_WIDE).as_tuple().digits) <= _DIGITS:
                sheet.write_number(row, place, exact, self._number if isinstance(value, int) else self._amount)
            else:
                sheet.write_string(row, place, f"{exact:f}", self._exact)
        elif isinstance(value, float):
            sheet.write_number(row, place, value)
        elif isinstance(value, datetime):
            sheet.write_datetime(row, place, value.astimezone(UTC).replace(tzinfo=None), self._time)
        elif isinstance(value, date):
            sheet.write_datetime(row, place, datetime(value.year, value.month, value.day), self._day)  # noqa: DTZ001
        else:
            self.text(row, place, str(value))

    def text(self, row: int, place: int, value: str, style: Format | None = None) -> None:
        """Writes text as text, whatever it looks like."""
        held = value if len(value) <= _LONGEST else value[: _LONGEST - len(_CUT)] + _CUT
        self._sheet.write_string(row, place, held, style or (self._quoted if re.match(_RISKY, held) else None))
