"""The dealers' roster: who is certified for which game, and from when until when (58 Pa. Code ch. 611a)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import InputError
from pipeline.core.schema import Column, Table
from pipeline.feeds.csv_rows import CsvRow, read_csv_rows

if TYPE_CHECKING:
    from pathlib import Path

ROSTER: Final = Table(
    "roster",
    "a dealer's certificate for a game",
    (
        Column("dealer_id", pl.String, "the dealer, as the round log names them"),
        Column("game", pl.String, "the game, like three_card_poker"),
        Column("certified_from", pl.Date, "first day of the certificate"),
        Column("certified_to", pl.Date, "last day of the certificate; null: open"),
        Column("route", pl.String, "how the dealer was trained, in the studio's words"),
        Column("hours", pl.Decimal(18, 6), "hours of instruction"),
        Column("weeks", pl.Decimal(18, 6), "weeks that the instruction ran"),
        Column("source_file", pl.String, "name of the file"),
        Column("source_line", pl.Int64, "line in that file, from 1"),
    ),
)

_COLUMNS: Final = tuple(c.name for c in ROSTER.columns[:7])


def read_roster(path: Path) -> pl.DataFrame:
    """Read a CSV roster; a dealer may have several certificates.

    Returns:
        The columns of ``ROSTER``, in the order of the file.

    Raises:
        InputError: the file, a column or a field cannot be read, or a certificate ends before it begins; names file and line.
    """
    rows = [_read(row) for row in read_csv_rows(path, _COLUMNS, "roster")]
    return pl.DataFrame(rows, schema=ROSTER.schema)


def _read(row: CsvRow) -> dict[str, object]:
    begins, ends = row.day("certified_from"), row.optional_day("certified_to")
    if ends is not None and ends < begins:
        raise InputError(f"certified_to {ends} is before certified_from {begins}", row.where, "swap or mend the two days")
    return {
        "dealer_id": row.text("dealer_id"),
        "game": row.text("game"),
        "certified_from": begins,
        "certified_to": ends,
        "route": row.optional_text("route"),
        "hours": row.optional_amount("hours"),
        "weeks": row.optional_amount("weeks"),
        "source_file": row.file,
        "source_line": row.line,
    }
