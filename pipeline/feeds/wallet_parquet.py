"""Ledgers in Parquet: a row is a record. Typed columns become text again, so that one rule judges every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars.exceptions import PolarsError

from pipeline.core.errors import InputError
from pipeline.feeds.wallet_lines import demand_columns
from pipeline.feeds.wallet_profile import FIELDS
from pipeline.feeds.wallet_record import PLACE, TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.feeds.wallet_profile import WalletProfile

_ROWS: Final = 131_072
_CLOCK: Final = {"ms": "%.3f", "us": "%.6f", "ns": "%.9f"}


class ParquetLedger:
    """One Parquet file.

    Args:
        path: the file.
        profile: what the ledger calls its columns.

    Raises:
        InputError: it is no Parquet file, lacks a column, or holds one of a type that cannot be read exactly.
    """

    def __init__(self, path: Path, profile: WalletProfile) -> None:
        self._name = path.name
        self._profile = profile
        try:
            self._file = pq.ParquetFile(path)
            names = list(self._file.schema_arrow.names)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(f"is no Parquet file: {error}", path.name, "fetch the file again") from None
        demand_columns(names, profile, path.name)
        self.rows: int = self._file.metadata.num_rows
        self._given = {name: profile.column(name) for name in FIELDS if name not in profile.constants and profile.column(name) in names}
        self.unknown = [name for name in names if name not in self._given.values()]

    def batches(self) -> Iterator[tuple[int, pl.DataFrame]]:
        """The rows as text (``wallet_record.TEXTS``), some at a time, each with the number of its first row, from 1."""
        first = 1
        try:
            for batch in self._file.iter_batches(_ROWS, columns=list(self._given.values())):
                rows = pl.DataFrame(pl.from_arrow(batch))
                yield first, self._texts(rows)
                first += rows.height
        except (pa.ArrowException, PolarsError, OSError) as error:
            raise InputError(f"is damaged: {error}", self._name, "fetch the file again") from None
        if first - 1 != self.rows:
            raise InputError(
                f"is damaged: it says that it has {self.rows:,} rows, and {first - 1:,} can be read", self._name, "fetch the file again"
            )

    def _texts(self, rows: pl.DataFrame) -> pl.DataFrame:
        told = [self._text(column, rows.schema[column]).alias(name) for name, column in self._given.items()]
        absent = [pl.lit(None, pl.String).alias(name) for name in FIELDS if name not in self._given]
        return rows.select(pl.int_range(pl.len(), dtype=pl.Int64).alias(PLACE), *told, *absent).select(TEXTS.names())

    def _text(self, column: str, kind: pl.DataType) -> pl.Expr:
        value = pl.col(column)
        if isinstance(kind, pl.Decimal):
            return value.cast(pl.String).str.replace(r"(\.[0-9]{6})0+$", "$1")
        if isinstance(kind, pl.Datetime):
            utc = value if kind.time_zone is None else value.dt.convert_time_zone("UTC")
            return utc.dt.strftime(f"%Y-%m-%dT%H:%M:%S{_CLOCK[kind.time_unit]}{'' if kind.time_zone is None else 'Z'}")
        if kind.is_integer() or kind in {pl.String, pl.Categorical, pl.Null}:
            text = value.cast(pl.String)
            return pl.when(text != "").then(text)
        what = "is not exact" if kind.is_float() else "cannot be read as text, a whole number, a decimal or a time"
        raise InputError(f"the column {column} is of type {kind}, which {what}", self._name, "write amounts as decimals or as text")
