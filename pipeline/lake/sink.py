"""One table into one Parquet file whose bytes depend on the rows and their order, and on nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.lake import disk
from pipeline.lake.content import Content, Control
from pipeline.lake.facts import TableFacts

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.core.schema import Table

ROW_GROUP: Final = 122_880
"""Rows of a row group: a multiple of DuckDB's vector, and the unit that DuckDB reads in parallel."""

_DISTINCT: Final = frozenset({"wager_id", "finding_id", "txn_id"})
"""Texts that differ in nearly every row: a dictionary of them is made in vain."""

_LOOKED_UP: Final = frozenset({"round_id", "table_id", "check_id"})
"""Texts that row groups are skipped by; the least and greatest of the others say nothing worth what they cost."""

# Texts go over as views of the frame's own memory; lists of them are copied, since Arrow cannot write slices of such views.
_VIEWS: Final = pl.CompatLevel.newest()
_COPIES: Final = pl.CompatLevel.oldest()


class TableSink:
    """Takes a table frame by frame and writes full row groups, however the frames come.

    The same rows in the same order give the same bytes: row groups are cut at fixed rows, each is one contiguous piece when
    it is encoded, and the file's metadata hold no clock, host or path. A table without rows makes no file.

    Args:
        table: the columns that every frame must have, in order.
        staging: the folder that stands in for the lake until the publish.
        file: where the file will lie, relative to the lake.
    """

    def __init__(self, table: Table, staging: Path, file: str) -> None:
        self._table = table
        self._path = staging / file
        self._file = file
        self._content = Content(table)
        self._control = Control(table)
        self._waiting: list[pl.DataFrame] = []
        self._rows_waiting = 0
        self._writer: pq.ParquetWriter | None = None

    def demand(self, frame: pl.DataFrame) -> None:
        """Says whether the frame can be added.

        Raises:
            TypeError: its columns or types are not the table's.
        """
        if frame.schema != self._table.schema:
            wrong = [f"{n} {t}" for n, t in frame.schema.items() if self._table.schema.get(n) != t]
            missing = [n for n in self._table.schema if n not in frame.schema]
            raise TypeError(f"{self._table.name}: unexpected {wrong or 'order'}, missing {missing}")

    def append(self, frame: pl.DataFrame) -> None:
        """Adds rows.

        Raises:
            TypeError: see ``demand``.
        """
        self.demand(frame)
        if frame.is_empty():
            return
        self._content.add(frame)
        self._control.add(frame)
        self._waiting.append(frame)
        self._rows_waiting += frame.height
        if self._rows_waiting >= ROW_GROUP:
            self._write_full_groups()

    def close(self) -> TableFacts:
        """Writes what waits, forces the file to the disk, and says what is in it."""
        if self._rows_waiting:
            self._write_group(pl.concat(self._waiting))
            self._waiting, self._rows_waiting = [], 0
        digest, control = self._content.digest(), self._control.sums()
        if self._writer is None:
            return TableFacts(rows=0, content_sha256=digest)
        self.abandon()
        self._path.chmod(0o640)
        disk.sync(self._path)
        size = self._path.stat().st_size
        return TableFacts(self._content.rows, digest, self._file, size, disk.sha256(self._path), control)

    def abandon(self) -> None:
        """Closes the file as it is, without a word on what is in it."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _write_full_groups(self) -> None:
        rows = pl.concat(self._waiting)
        whole = rows.height - rows.height % ROW_GROUP
        for start in range(0, whole, ROW_GROUP):
            self._write_group(rows.slice(start, ROW_GROUP))
        self._waiting, self._rows_waiting = [rows.slice(whole)], rows.height - whole

    def _write_group(self, rows: pl.DataFrame) -> None:
        columns = rows.rechunk().get_columns()
        piece = pa.table({each.name: each.to_arrow(compat_level=_COPIES if each.dtype.is_nested() else _VIEWS) for each in columns})
        if self._writer is None:
            self._writer = self._open(piece.schema)
        self._writer.write_table(piece, row_group_size=ROW_GROUP)

    def _open(self, schema: pa.Schema) -> pq.ParquetWriter:
        disk.make_folder(self._path.parent)
        running = [name for name, dtype in self._table.schema.items() if isinstance(dtype, (pl.Int64, pl.Datetime))]
        repeating = [name for name in self._table.schema if name not in running and name not in _DISTINCT]
        return pq.ParquetWriter(
            self._path, schema, compression="zstd", compression_level=1, store_schema=False, store_decimal_as_integer=True,
            use_dictionary=repeating, column_encoding=dict.fromkeys(running, "DELTA_BINARY_PACKED"),
            write_statistics=[name for name, dtype in self._table.schema.items() if dtype != pl.String or name in _LOOKED_UP],
        )  # fmt: skip
