"""The rows of a small hand-made CSV (control totals, roster), each with its line, so that an error can name it."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_AMOUNT: Final = re.compile(r"\d{1,12}(\.\d{1,6})?")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_COUNT: Final = re.compile(r"\d{1,15}")


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row: its file, its line (from 1, the header's is 1) and its fields by column; an empty field is no field."""

    file: str
    line: int
    fields: dict[str, str]

    @property
    def where(self) -> str:
        """``file:line``."""
        return f"{self.file}:{self.line}"

    def optional_text(self, column: str) -> str | None:
        """The field, or None where it is empty."""
        return self.fields.get(column)

    def text(self, column: str) -> str:
        """The field.

        Raises:
            InputError: it is empty.
        """
        value = self.fields.get(column)
        if value is None:
            raise InputError(f"{column} is empty", self.where, f"fill in {column} or take the line out")
        return value

    def count(self, column: str) -> int:
        """A whole number, 0 or more.

        Raises:
            InputError: it is empty or no such number.
        """
        return int(self._matching(column, _COUNT, "a whole number, like 600"))

    def amount(self, column: str) -> Decimal:
        """An amount in major units, exact from the digits on: at most twelve digits and six decimals.

        Raises:
            InputError: it is empty or no such amount.
        """
        return Decimal(self._matching(column, _AMOUNT, "an amount without sign, at most six decimals, like 12.50"))

    def optional_amount(self, column: str) -> Decimal | None:
        """Like ``amount``, or None where it is empty."""
        return self.amount(column) if column in self.fields else None

    def day(self, column: str) -> date:
        """A calendar day.

        Raises:
            InputError: it is empty or no such day.
        """
        text = self._matching(column, _DAY, "a day, like 2026-11-03")
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise InputError(f"{column} {text!r} is no day of the calendar", self.where, "write it like 2026-11-03") from None

    def optional_day(self, column: str) -> date | None:
        """Like ``day``, or None where it is empty."""
        return self.day(column) if column in self.fields else None

    def _matching(self, column: str, form: re.Pattern[str], example: str) -> str:
        value = self.text(column)
        if not form.fullmatch(value):
            raise InputError(f"{column} {value!r} cannot be read", self.where, f"write {example}")
        return value


def read_csv_rows(path: Path, columns: tuple[str, ...], what: str) -> Iterator[CsvRow]:
    """The rows of a CSV with a header; columns stand in any order, further ones are ignored, blank lines are skipped.

    Args:
        path: the file, UTF-8 with or without a byte order mark.
        columns: what the header must name.
        what: what the file is, for the error message, like "control totals".

    Raises:
        InputError: no such file, not UTF-8, a column missing or named twice, a row longer or shorter than the header.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{what} cannot be opened: {error.strerror}", str(path), "give the path of a CSV file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{what} are not UTF-8 (byte {error.start})", path.name, "save the file as UTF-8") from None
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, columns, f"{path.name}:1", what)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            where = f"{path.name}:{reader.line_num}"
            if len(cells) != len(header):
                raise InputError(f"{len(cells)} fields where the header names {len(header)}", where, "give every row one field a column")
            filled = {name: cell.strip() for name, cell in zip(header, cells, strict=True) if cell.strip()}
            yield CsvRow(path.name, reader.line_num, filled)
    except csv.Error as error:
        raise InputError(f"{what} are no CSV: {error}", f"{path.name}:{reader.line_num}", "quote fields with double quotes") from None


def _check_header(header: list[str], columns: tuple[str, ...], where: str, what: str) -> None:
    missing = [name for name in columns if name not in header]
    if missing:
        raise InputError(f"{what} lack the column {', '.join(missing)}", where, f"the header is {','.join(columns)}")
    twice = sorted({name for name in columns if header.count(name) > 1})
    if twice:
        raise InputError(f"{what} name the column {', '.join(twice)} twice", where, f"the header is {','.join(columns)}")
