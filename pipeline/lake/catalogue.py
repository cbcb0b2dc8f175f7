"""``audit.duckdb``: views, macros and their comments over the current files, in a version of the file that DuckDB 1.5 reads too."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import duckdb

from pipeline.core.errors import LakeError
from pipeline.lake import manifest
from pipeline.lake.analyst_views import analyst_views
from pipeline.lake.finding_life import reopenings
from pipeline.lake.layout import AUDIT_DB
from pipeline.lake.layout import FOLLOW_UPS as FOLLOW_UPS_FILE
from pipeline.lake.layout import REMEDIES as REMEDIES_FILE
from pipeline.lake.scan import connect, literal, name, select_files, sql_text
from pipeline.lake.tables import DELIVERY_TABLES, FILING_TABLES, FOLLOW_UPS, LAKE, REMEDIES, REOPENINGS, RUNS, STORED_TABLES, duckdb_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.core.schema import Table
    from pipeline.lake.facts import TableFacts

STORAGE_VERSION: Final = "v1.5.0"

_MACRO: Final = re.compile(r"^CREATE (?:OR REPLACE )?MACRO (\w+)\s*\(.*?\)\s*AS\s+(TABLE\b)?", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_MOVED: Final = (
    "The views name their files by absolute path. Opened from a folder that was moved, they read the files beside this one; attached to "
    "another session or renamed, they do not: mend them with: resettle lake here DIR"
)
LAKE_FILES: Final = "lake_files"
_BESIDE: Final = f"{AUDIT_DB}.tmp"
"""What DuckDB calls the folder for its temporary files, beside the file that a session was opened with."""

_SHOWN: Final = (*STORED_TABLES.values(), REMEDIES, FOLLOW_UPS, REOPENINGS)
_Chain = dict[int, manifest.Manifest]


def build(path: Path, root: Path, state: manifest.State, chain: _Chain) -> None:
    """Writes a new catalogue file.

    Args:
        path: the file to write; it must not exist.
        root: the lake's absolute path, as the views are to name it.
        state: what is current.
        chain: all manifests by number.
    """
    path.write_bytes(_unfilled())
    _execute(path, _filling(root, state, chain))


@cache
def _unfilled() -> bytes:
    """A catalogue file that shows no lake yet. What is the same for all, nearly all of it, is worked out once in a process."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / AUDIT_DB
        _execute(path, (*forms(), *_meanings()))
        return path.read_bytes()


def _execute(path: Path, statements: Iterable[str]) -> None:
    with connect() as con:
        con.execute(f"ATTACH {literal(str(path))} AS built (STORAGE_VERSION {literal(STORAGE_VERSION)})")
        con.execute("USE built")
        con.execute("BEGIN")
        for statement in statements:
            con.execute(statement)
        con.execute("COMMIT")
        con.execute("CHECKPOINT built")
        con.execute("USE memory")
        con.execute("DETACH built")


def is_current(root: Path, state: manifest.State) -> bool:
    """The lake's catalogue shows this state and names this folder."""
    told = shown(root)
    return told is not None and told == (str(root), state.run_sha256)


def shown(root: Path) -> tuple[str, str] | None:
    """The folder and the state (``run_sha256``) that the lake's catalogue says it shows; None where it is missing or damaged."""
    path = root / AUDIT_DB
    if not path.is_file():
        return None
    try:
        with duckdb.connect(path, read_only=True) as con:
            row = con.execute("SELECT root, run_sha256 FROM lake").fetchone()
    except duckdb.Error:
        return None
    return (row[0], row[1]) if row else None


def contents(con: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """Everything that a catalogue defines: views, tables, their columns, macros, and the comments on each."""
    questions = (
        "SELECT 'view', view_name, schema_name, sql, comment FROM duckdb_views() WHERE NOT internal",
        "SELECT 'table', table_name, schema_name, sql, comment FROM duckdb_tables() WHERE NOT internal",
        "SELECT 'column', table_name, schema_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal",
        "SELECT 'macro', function_name, schema_name, parameters, macro_definition, comment FROM duckdb_functions() WHERE NOT internal",
    )
    return sorted((row for question in questions for row in con.execute(question).fetchall()), key=repr)


def expected_contents(root: Path, state: manifest.State, chain: _Chain) -> list[tuple[object, ...]]:
    """What the catalogue of this state must define, read back from a file, since some types read otherwise from there."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / AUDIT_DB
        build(path, root, state, chain)
        with duckdb.connect(path, read_only=True) as con:
            return contents(con)


def current_tables(state: manifest.State, chain: _Chain) -> list[TableFacts]:
    """What is current of every table, and has rows."""
    return [facts for table in STORED_TABLES for _, facts in _current(table, state, chain)]


def _current(table: str, state: manifest.State, chain: _Chain) -> list[tuple[manifest.Manifest, TableFacts]]:
    """What holds a table now and has rows, each with the publish that it came with, in the order of studio and day."""
    if table in FILING_TABLES:
        holding = {key.number for key in state.partitions} | set(state.deliveries)
        latest = {one.filings_fingerprint: one for number, one in sorted(chain.items()) if number in holding}
        found = [(one, one.delivery.get(table)) for one in latest.values()]
    elif table in DELIVERY_TABLES:
        found = [(chain[number], chain[number].delivery.get(table)) for number in state.deliveries]
    else:
        parts = {number: manifest.by_day(one) for number, one in chain.items()}
        found = [(chain[key.number], parts[key.number][key.studio_id, key.gaming_day].tables.get(table)) for key in state.partitions]
    return [(one, facts) for one, facts in found if facts is not None and facts.file is not None]


def statements(root: Path, state: manifest.State, chain: _Chain) -> Iterator[str]:
    """The statements that make a catalogue.

    Args:
        root: the lake's absolute path, as the views are to name it.
        state: what is to be shown.
        chain: all manifests up to that state by number.
    """
    yield from forms()
    yield from _meanings()
    yield from _filling(root, state, chain)


def forms() -> Iterator[str]:
    """The statements that make what every lake's catalogue defines, over no rows and without comments."""
    yield sql_text("", "macros.sql")
    for table in _SHOWN:
        yield f"CREATE VIEW {name(table.name)} AS {select_files(table, ())}"
    for view in analyst_views():
        yield f"CREATE VIEW {name(view.name)} AS {view.sql}"


def _meanings() -> Iterator[str]:
    """The comments on all of that."""
    yield from macro_comments(sql_text("", "macros.sql"))
    for table in _SHOWN:
        yield from comments(table)
    for view in analyst_views():
        yield f"COMMENT ON VIEW {name(view.name)} IS {literal(view.title)}"
        for column, meaning in view.columns.items():
            yield f"COMMENT ON COLUMN {name(view.name)}.{name(column)} IS {literal(meaning)}"


def _filling(root: Path, state: manifest.State, chain: _Chain) -> Iterator[str]:
    """The statements that make what this lake's defines instead or besides, with its comments."""
    yield from lake_files(root)
    replaced = ", ".join(f"({literal(run_id)}, {literal(file)})" for run_id, file in manifest.read_again(state, chain))
    for table in STORED_TABLES.values():
        files = [(root / str(facts.file), one.schemas[table.name]) for one, facts in _current(table.name, state, chain)]
        if not files:
            continue
        select = _over(table, files)
        if table.name in FILING_TABLES:
            select = f"SELECT DISTINCT * FROM ({select})"
        if table.name in DELIVERY_TABLES and replaced:
            select = f"SELECT * FROM ({select}) WHERE (run_id, source_file) NOT IN ({replaced})"
        yield from _shown(table, select)
    yield from appended_statements(root, chain)
    yield from _shown(RUNS, _runs(root, state, chain))
    yield from _shown(LAKE, _lake(root, state))


def _shown(table: Table, select: str) -> Iterator[str]:
    yield f"CREATE OR REPLACE VIEW {name(table.name)} AS {select}"
    yield from comments(table)


def lake_files(root: Path) -> Iterator[str]:
    """The statements that make the macro through which views name their files, so that a lake that was moved reads its own.

    A view cannot ask which file it stands in; but where a session was opened with ``audit.duckdb``, the setting ``temp_directory`` says
    where that lies, unless somebody set it.

    Args:
        root: the lake's absolute path, as the views name it.
    """
    yield f"""
        CREATE MACRO {LAKE_FILES}(paths) AS CASE
            WHEN parse_filename(current_setting('temp_directory')) = {literal(_BESIDE)}
            THEN list_transform(paths, lambda path: parse_dirpath(current_setting('temp_directory')) || substr(path, {len(str(root)) + 1}))
            ELSE paths
        END
    """
    yield f"COMMENT ON MACRO {LAKE_FILES} IS 'Where files of this lake lie now, of those that the views name: in the folder of this file.'"


def appended_statements(root: Path, chain: _Chain) -> Iterator[str]:
    """The statements that make the views of what people recorded beside the published tables, and their comments.

    Args:
        root: the lake's absolute path.
        chain: all manifests up to the state shown, by number; what was recorded after a later publish is left out.
    """
    recorded = ((REMEDIES, root / REMEDIES_FILE, ""), (FOLLOW_UPS, root / FOLLOW_UPS_FILE, f" WHERE number <= {max(chain, default=0)}"))
    for table, path, until in recorded:
        if path.exists():
            yield from _shown(table, _recorded(table, path) + until)
    if reopened := reopenings(root, chain):
        yield from _shown(REOPENINGS, _values(REOPENINGS, reopened))


def _recorded(table: Table, path: Path) -> str:
    typed = ", ".join(f"{name(column.name)}: {literal(duckdb_type(column.dtype))}" for column in table.columns)
    return f"SELECT * FROM read_json({LAKE_FILES}([{literal(str(path))}]), format = 'newline_delimited', columns = {{{typed}}})"


def comments(table: Table) -> Iterator[str]:
    """The statements that comment the view of a table and its columns."""
    text = f"What this file shows. {_MOVED}." if table is LAKE else f"Each row is {table.row}."
    yield f"COMMENT ON VIEW {name(table.name)} IS {literal(text)}"
    for column in table.columns:
        yield f"COMMENT ON COLUMN {name(table.name)}.{name(column.name)} IS {literal(column.meaning)}"


def _over(table: Table, files: Sequence[tuple[Path, list[str]]]) -> str:
    """A SELECT over files of one or several generations of the schema."""
    wanted = {f"{column.name} {duckdb_type(column.dtype)}": column.name for column in table.columns}
    generations: dict[tuple[str, ...], list[Path]] = {}
    for file, columns in files:
        held = {text.split(" ", 1)[0] for text in columns}
        generations.setdefault(tuple(column for column in wanted.values() if column not in held), []).append(file)
    if not generations:
        return select_files(table, ())
    return " UNION ALL ".join(select_files(table, paths, absent, LAKE_FILES) for absent, paths in generations.items())


def macro_comments(macros: str) -> Iterator[str]:
    """A comment for each macro: the lines of ``--`` right above it."""
    for found in _MACRO.finditer(macros):
        above: list[str] = []
        for line in reversed(macros[: found.start()].rstrip("\n").split("\n")):
            if not line.startswith("--"):
                break
            above.insert(0, line.removeprefix("--").strip())
        kind = "MACRO TABLE" if found[2] else "MACRO"
        yield f"COMMENT ON {kind} {name(found[1])} IS {literal(' '.join(above))}"


def _values(table: Table, rows: Sequence[Mapping[str, object]]) -> str:
    """A SELECT of literal rows."""
    columns = ", ".join(f"CAST({name(column.name)} AS {duckdb_type(column.dtype)}) AS {name(column.name)}" for column in table.columns)
    if not rows:
        return select_files(table, ())
    lines = ", ".join("(" + ", ".join(_constant(row[column.name]) for column in table.columns) + ")" for row in rows)
    return f"SELECT {columns} FROM (VALUES {lines}) AS said({', '.join(name(column.name) for column in table.columns)})"


def _constant(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, list):
        return f"CAST([{', '.join(map(_constant, value))}] AS VARCHAR[])"
    return literal(str(value))


def _runs(root: Path, state: manifest.State, chain: Mapping[int, manifest.Manifest]) -> str:
    holding = {key.number for key in state.partitions} | set(state.deliveries)
    rows = []
    for number, one in sorted(chain.items()):
        record = manifest.read_run(root, number, one.run_id)
        rows.append(
            {
                "number": number,
                "run_id": one.run_id,
                "is_current": number in holding,
                "started_at": record.started_at.isoformat(),
                "finished_at": record.finished_at.isoformat(),
                "host": record.host,
                "command": record.command,
                "code_version": one.code_version,
                "python_version": record.python_version,
                "duckdb_version": one.versions.get("duckdb"),
                "polars_version": one.versions.get("polars"),
                "filings_fingerprint": one.filings_fingerprint,
                "checks_fingerprint": one.checks_fingerprint,
                "partitions": len(one.partitions),
                "untrusted": one.untrusted,
                "manifest_sha256": record.manifest_sha256,
            }
        )
    return _values(RUNS, rows)


def _lake(root: Path, state: manifest.State) -> str:
    row = {
        "root": str(root),
        "number": state.number,
        "run_id": state.run_id,
        "manifest_sha256": state.manifest_sha256,
        "run_sha256": state.run_sha256,
    }
    return _values(LAKE, [row])


def damaged(root: Path) -> LakeError:
    """The error for a catalogue that does not open or is not one."""
    return LakeError("is missing or damaged", str(root / AUDIT_DB), f"rebuild it with: resettle lake here {root}")
