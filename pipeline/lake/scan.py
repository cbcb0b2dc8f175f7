"""SQL that reads the lake's files with exactly a table's columns, and connections that hold such views."""

from __future__ import annotations

from importlib.resources import files as package_files
from typing import TYPE_CHECKING, Final

import duckdb

from pipeline.lake.tables import duckdb_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pipeline.core.schema import Table

CONFIG: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""No connection of ours reaches for the network."""


def literal(text: str) -> str:
    """A SQL string that reads back as the text."""
    return "'" + text.replace("'", "''") + "'"


def name(text: str) -> str:
    """A SQL name that reads back as the text."""
    return '"' + text.replace('"', '""') + '"'


def select_files(table: Table, files: Sequence[Path], absent: Iterable[str] = (), through: str = "") -> str:
    """A SELECT with the table's columns over Parquet files, or over nothing where there are none.

    Args:
        table: the columns wanted.
        files: absolute paths, free of ``*``, ``?`` and ``[``.
        absent: columns that these files, written by an older version, have not: they read as null.
        through: a macro that says where the files named lie now.
    """
    missing = {column.name for column in table.columns} if not files else set(absent)
    columns = ", ".join(
        f"CAST(NULL AS {duckdb_type(column.dtype)}) AS {name(column.name)}" if column.name in missing else name(column.name)
        for column in table.columns
    )
    if not files:
        return f"SELECT {columns} WHERE false"
    paths = ", ".join(literal(str(file)) for file in files)
    return f"SELECT {columns} FROM read_parquet({through}([{paths}]), hive_partitioning = false)"


def connect(memory_limit: str = "1GB") -> duckdb.DuckDBPyConnection:
    """A DuckDB connection in memory that stays off the network, with times shown in UTC."""
    con = duckdb.connect(config=CONFIG)
    con.execute(f"SET memory_limit = {literal(memory_limit)}")
    con.execute("SET TimeZone = 'UTC'")
    return con


def over_files(tables: Mapping[str, Table], files: Mapping[str, Sequence[Path]]) -> duckdb.DuckDBPyConnection:
    """A connection with one view for each table, over its files."""
    con = connect()
    for table in tables.values():
        con.execute(f"CREATE VIEW {name(table.name)} AS {select_files(table, files.get(table.name, ()))}")
    return con


def sql_text(folder: str, file: str) -> str:
    """A SQL file of the project, as it ships."""
    return package_files("sql").joinpath(*filter(None, (folder, file))).read_text(encoding="utf-8")
