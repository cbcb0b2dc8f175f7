"""Ask a lake in SQL, read-only and without a way out of the lake folder."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Final

import duckdb
import polars as pl

from pipeline.ask.spreadsheet import harmless
from pipeline.core.errors import ResettleError
from pipeline.lake import open_as_of, open_lake

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

FORMATS: Final = ("table", "csv", "json", "parquet")

_WIDEST: Final = 1_000_000
_LONGEST: Final = 1_000


def connect(lake: Path, as_of: datetime | None = None) -> duckdb.DuckDBPyConnection:
    """Open a lake read-only; SQL run on the connection reaches no file outside the lake and no network.

    Args:
        lake: the lake.
        as_of: show what was current at this time, which has a zone; null: what is current now.

    Raises:
        LakeError: there is no lake at this path, or it was moved since it was written, or nothing was published yet at that time.
    """
    con = open_lake(lake) if as_of is None else open_as_of(lake, as_of)
    # Nothing is spilled to disk: the folder for that lies in the lake, where a reader has nothing to write.
    con.execute("SET temp_directory = ''")
    con.execute("SET allowed_directories = [$lake]", {"lake": str(lake.resolve())})
    con.execute("SET python_enable_replacements = false")
    con.execute("SET enable_external_access = false")
    con.execute("SET lock_configuration = true")
    return con


def select(con: duckdb.DuckDBPyConnection, sql: str, params: dict[str, object] | None = None) -> duckdb.DuckDBPyRelation:
    """Run one SELECT.

    Raises:
        ResettleError: it is not one statement, not a SELECT, or does not run.
    """
    try:
        statements = con.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ResettleError("only one SELECT is run here", "query", "open audit.duckdb with the DuckDB client for anything else")
        return con.sql(sql, params=params or {})
    except duckdb.Error as error:
        raise _refused(error) from None


def render(relation: duckdb.DuckDBPyRelation, form: str) -> bytes:
    """The rows as ``table`` (every column, and 1,000 rows at most), ``csv``, ``json`` (one object a line) or ``parquet``.

    Amounts keep every digit. In CSV, a text that a spreadsheet would run as a formula gets an apostrophe in front.

    Raises:
        ResettleError: a fault that shows only in the rows.
    """
    try:
        return _rendered(relation, form)
    except (duckdb.Error, pl.exceptions.PolarsError) as error:
        raise _refused(error) from None


def _refused(error: Exception) -> ResettleError:
    return ResettleError(str(error).strip(), "query", 'the query "SHOW ALL TABLES" lists the tables and their columns')


def _rendered(relation: duckdb.DuckDBPyRelation, form: str) -> bytes:
    if form == "table":
        shown = io.StringIO()
        with redirect_stdout(shown):
            relation.show(max_width=_WIDEST, max_rows=_LONGEST, max_col_width=_WIDEST)
        return shown.getvalue().encode()
    buffer = io.BytesIO()
    if form == "csv":
        harmless(as_text(relation).pl()).write_csv(buffer)
    elif form == "json":
        as_text(relation, nested=False).pl().write_ndjson(buffer)
    else:
        relation.pl().write_parquet(buffer)
    return buffer.getvalue()


def as_text(relation: duckdb.DuckDBPyRelation, *, nested: bool = True) -> duckdb.DuckDBPyRelation:
    """Bytes as text with what is no text written out; with ``nested``, lists and structs as JSON: a CSV cell holds one value."""
    columns = []
    for name, kind in zip((c.replace('"', '""') for c in relation.columns), map(str, relation.types), strict=True):
        is_nested = nested and (kind.endswith("]") or kind.startswith(("STRUCT", "MAP")))
        value = f'to_json("{name}")' if is_nested else f'"{name}"'
        columns.append(f'CAST({value} AS VARCHAR) AS "{name}"' if is_nested or kind == "BLOB" else f'"{name}"')
    return relation.project(", ".join(columns))
