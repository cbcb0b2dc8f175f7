"""Rows of a lake as a file for other tools: CSV, Parquet, Excel or JSON, in bounded memory but for Excel's own limits."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow.parquet as pq

from pipeline.ask.query import as_text
from pipeline.ask.spreadsheet import harmless, write_workbook
from pipeline.core.errors import ResettleError
from pipeline.lake import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

SUFFIXES: Final = (".csv", ".parquet", ".xlsx", ".json", ".ndjson")
_ROWS: Final = 50_000


def export(relation: duckdb.DuckDBPyRelation, path: Path, title: str) -> int:
    """Writes the rows to a file, whole or not at all; its name's ending says in which form.

    Args:
        relation: the rows.
        path: the file; one of ``SUFFIXES``. ``.json`` is one array, ``.ndjson`` one object a line; amounts are texts in both.
        title: what the rows are, for Excel's worksheet.

    Returns:
        How many rows were written.

    Raises:
        ResettleError: another ending, a place that cannot be written to, or more rows than a worksheet holds.
    """
    if path.suffix not in SUFFIXES:
        raise ResettleError(f"{path.suffix or 'no ending'} is no form of export", str(path), f"end it with one of: {' '.join(SUFFIXES)}")
    try:
        with disk.beside(path) as part:
            return _written(relation, part, path.suffix, title)
    except OSError as error:
        raise ResettleError(f"cannot be written ({error.strerror or error})", str(path), "name a file in a folder that exists") from error


def _written(relation: duckdb.DuckDBPyRelation, part: Path, suffix: str, title: str) -> int:
    if suffix == ".parquet":
        return _parquet(relation, part)
    if suffix == ".csv":
        return _csv(as_text(relation), part)
    if suffix == ".xlsx":
        return write_workbook(part, title, relation.columns, _batches(as_text(relation)))
    return _json(as_text(relation, nested=False), part, whole=suffix == ".json")


def _batches(relation: duckdb.DuckDBPyRelation) -> Iterator[pl.DataFrame]:
    reader = relation.to_arrow_reader(_ROWS)
    yield from (frame for batch in reader if isinstance(frame := pl.from_arrow(batch), pl.DataFrame))


def _parquet(relation: duckdb.DuckDBPyRelation, path: Path) -> int:
    reader = relation.to_arrow_reader(_ROWS)
    rows = 0
    with pq.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _csv(relation: duckdb.DuckDBPyRelation, path: Path) -> int:
    rows = 0
    with path.open("wb") as file:
        # A head of its own, since a relation without rows may come without a batch.
        harmless(relation.limit(0).pl()).write_csv(file)
        for frame in _batches(relation):
            harmless(frame).write_csv(file, include_header=False)
            rows += frame.height
    return rows


def _json(relation: duckdb.DuckDBPyRelation, path: Path, *, whole: bool) -> int:
    rows = 0
    with path.open("wb") as file:
        for frame in _batches(relation):
            buffer = io.BytesIO()
            frame.write_ndjson(buffer)
            lines = buffer.getvalue()
            if whole and lines:
                file.write(b",\n" if rows else b"[\n")
                lines = lines.rstrip(b"\n").replace(b"\n", b",\n")
            file.write(lines)
            rows += frame.height
        if whole:
            file.write(b"\n]\n" if rows else b"[]\n")
    return rows
