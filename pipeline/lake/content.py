"""What a table says, whatever the order of its rows or the cut of its files: a digest and sums."""

from __future__ import annotations

import hashlib
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import DUE

if TYPE_CHECKING:
    from pipeline.core.schema import Table

NOT_CONTENT: Final = frozenset({"run_id", "source_file", "source_line", "byte_offset"})
"""Columns that say where a row was found, which another cut of the same delivery changes."""

SUMMED: Final = ("stake", "paid", "bonus_paid", "expected", "expected_bonus", "delta", "contribution", "reseed", "amount")
"""Columns that are summed per currency as a control."""

_SEEDS: Final = (0x5E771E, 0xA0D17)
_ALL_BITS: Final = (1 << 64) - 1
_EXACT: Final = Context(prec=76)


class Content:
    """The content digest of one table, fed frame by frame.

    A row counts as the multiset of rows sees it: two 64-bit hashes of the row (``DataFrame.hash_rows`` with two seeds, over the
    columns that are content) are each summed modulo 2^64, and the digest is SHA-256 over the columns' names and types, the
    number of rows and the two sums. Sums do not depend on the order of rows or on how they were cut into frames, and unlike an
    exclusive or they count a row that stands twice. Polars promises the row hash within one version, which the lock pins; the
    manifest names the version. What proves that a file was not tampered with is the SHA-256 of its bytes, not this digest.
    """

    def __init__(self, table: Table) -> None:
        self.rows = 0
        self._columns = [column for column in table.columns if column.name not in NOT_CONTENT]
        self._sums = [0, 0]

    def add(self, frame: pl.DataFrame) -> None:
        """Counts the rows of a frame that has the table's columns."""
        rows = frame.select(column.name for column in self._columns)
        self.rows += rows.height
        for place, seed in enumerate(_SEEDS):
            total = int(rows.hash_rows(seed).cast(pl.Int128).sum())
            self._sums[place] = (self._sums[place] + total) & _ALL_BITS

    def digest(self) -> str:
        """The digest of all rows so far, in hexadecimal."""
        schema = ",".join(f"{column.name} {column.dtype}" for column in self._columns)
        return hashlib.sha256(f"{schema}|{self.rows}|{self._sums[0]:016x}|{self._sums[1]:016x}".encode()).hexdigest()


class Control:
    """Sums of a table's amounts per currency, exact, fed frame by frame."""

    def __init__(self, table: Table) -> None:
        names = table.schema
        self._summed = [name for name in SUMMED if isinstance(names.get(name), pl.Decimal)] if "currency" in names else []
        self._sums: dict[str, dict[str, Decimal]] = {}

    def add(self, frame: pl.DataFrame) -> None:
        """Adds the amounts of a frame that has the table's columns."""
        if not self._summed or frame.is_empty():
            return
        sums = frame.group_by(pl.col("currency").fill_null("")).agg(pl.col(self._summed).cast(DUE).sum())
        for row in sums.iter_rows(named=True):
            so_far = self._sums.setdefault(row["currency"], dict.fromkeys(self._summed, Decimal(0)))
            for name in self._summed:
                so_far[name] = _EXACT.add(so_far[name], row[name])

    def sums(self) -> dict[str, dict[str, str]]:
        """Currency to column to sum, as decimal text in major units; amounts without a currency stand under ''."""
        return {currency: {name: f"{amount:f}" for name, amount in sums.items()} for currency, sums in sorted(self._sums.items())}
