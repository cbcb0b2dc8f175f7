"""The DuckDB connection in which checks run: it has the macros, and no way to a file, the network or Python's variables."""

from __future__ import annotations

from importlib.resources import files

import duckdb


def open_session(memory_limit: str | None = None, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """An in-memory connection that reads nothing but what is registered in it, and keeps to that whatever SQL it is given.

    An operator's check is SQL by someone else: in here it cannot read or write a file, load an extension, see a Python variable
    or lift any of this again. Nothing is spilled to disk either, since the folder for that could be read.

    Args:
        memory_limit: as DuckDB reads it, like ``4GB``.
        threads: how many threads it may use.
    """
    con = duckdb.connect()
    con.execute(files("sql").joinpath("macros.sql").read_text(encoding="utf-8"))
    con.execute("SET TimeZone = 'UTC'")
    if memory_limit is not None:
        con.execute(f"SET memory_limit = '{memory_limit}'")
    if threads is not None:
        con.execute(f"SET threads = {threads:d}")
    for setting in (
        "temp_directory = ''",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        con.execute(f"SET {setting}")
    return con
