"""Ask a lake in SQL, read-only and without a way out of the lake folder."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import duckdb

from pipeline.core.errors import ResettleError
from pipeline.lake import open_lake

if TYPE_CHECKING:
    from pathlib import Path

FORMATS: Final = ("table", "csv", "json", "parquet")


def connect(lake: Path) -> duckdb.DuckDBPyConnection:
    """Open ``audit.duckdb`` read-only; SQL run on it reaches no file outside the lake and no network.

    Raises:
        LakeError: there is no lake at this path, or it was moved since it was written.
    """
    con = open_lake(lake)
    con.execute("SET allowed_directories = [$lake]", {"lake": str(lake.resolve())})
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
        raise ResettleError(str(error).strip(), "query", "docs/data-dictionary.md lists the tables and columns") from None


def render(relation: duckdb.DuckDBPyRelation, form: str) -> bytes:
    """The rows as ``table``, ``csv``, ``json`` (one object a line) or ``parquet``; amounts keep every digit."""
    if form == "table":
        return (str(relation) + "\n").encode()
    buffer = io.BytesIO()
    if form == "csv":
        _flat(relation).pl().write_csv(buffer)
    elif form == "json":
        relation.pl().write_ndjson(buffer)
    else:
        relation.pl().write_parquet(buffer)
    return buffer.getvalue()


def _flat(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Lists and structs as text: a CSV cell holds one value."""
    columns = [
        f'CAST("{name}" AS VARCHAR) AS "{name}"' if str(kind).endswith("]") or str(kind).startswith(("STRUCT", "MAP")) else f'"{name}"'
        for name, kind in zip((c.replace('"', '""') for c in relation.columns), relation.types, strict=True)
    ]
    return relation.project(", ".join(columns))
