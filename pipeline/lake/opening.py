"""Opening a lake to read: all that is current, or what one run published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from pipeline.core.errors import LakeError
from pipeline.lake import catalogue, manifest
from pipeline.lake.layout import AUDIT_DB, CURRENT, checked_root
from pipeline.lake.publish import writing
from pipeline.lake.scan import CONFIG, connect, name, select_files
from pipeline.lake.tables import STORED_TABLES
from pipeline.lake.working_copy import brought, origin_of, working_copy

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from pipeline.core.object_store import Address


def open_lake(lake: Path) -> duckdb.DuckDBPyConnection:
    """The lake's ``audit.duckdb``, read-only and off the network.

    Raises:
        LakeError: there is no lake, or it was moved since it was written, or its catalogue is damaged; says the way out.
    """
    root = checked_root(lake)
    if not (root / CURRENT).exists():
        raise LakeError("there is no lake here", str(root), "publish one with: resettle audit INPUT --filings DIR --lake DIR")
    told = catalogue.shown(root)
    if told is None:
        raise catalogue.damaged(root)
    if told[0] != str(root):
        raise LakeError(f"the lake was moved here from {told[0]}", str(root), f"mend it with: resettle lake here {root}")
    con = duckdb.connect(root / AUDIT_DB, read_only=True, config=CONFIG)
    con.execute("SET TimeZone = 'UTC'")
    return con


def open_as_of(lake: Path, when: datetime) -> duckdb.DuckDBPyConnection:
    """The lake as it stood at a time: a connection with its tables, macros and views over the files that were current then.

    Args:
        lake: the lake.
        when: the time, with its zone; by the clocks of the machines that published (``runs.finished_at``).

    Raises:
        LakeError: there is no lake, or nothing was published yet at that time; says when the first publish was.
    """
    root = checked_root(lake)
    manifests = manifest.chain(root, manifest.read_state(root))
    if not manifests:
        raise LakeError("there is no lake here", str(root), "publish one with: resettle audit INPUT --filings DIR --lake DIR")
    state = manifest.state_at(root, manifests, when)
    if state is None:
        first = manifest.read_run(root, manifests[0].number, manifests[0].run_id).finished_at.isoformat(timespec="seconds")
        raise LakeError(f"nothing was published here at {when.isoformat()}", str(root), f"the first publish was finished at {first}")
    con = connect()
    chain = {one.number: one for one in manifests[: state.number]}
    for facts in catalogue.current_tables(state, chain):
        brought(root, facts)
    for statement in catalogue.statements(root, state, chain):
        con.execute(statement)
    return con


def open_run(lake: Path, run_id: str | None = None) -> duckdb.DuckDBPyConnection:
    """A connection with the lake's tables, macros and analysts' views over the files of one run only, current or not.

    Args:
        lake: the lake.
        run_id: the run; null: the one that was published last.

    Raises:
        LakeError: there is no lake, or no such run in it.
    """
    root = checked_root(lake)
    one = run_manifest(root, run_id)
    manifests = {each.number: each for each in manifest.chain(root, manifest.read_state(root))}
    parts = [part.tables for part in one.partitions]
    con = connect()
    for statement in (*catalogue.forms(), *catalogue.lake_files(root)):
        con.execute(statement)
    for table in STORED_TABLES.values():
        published = [part[table.name] for part in parts if table.name in part]
        published += [one.delivery[table.name]] if table.name in one.delivery else []
        files = [brought(root, facts) for facts in published if facts.file]
        held = {text.split(" ", 1)[0] for text in one.schemas.get(table.name, ())}
        absent = [column.name for column in table.columns if column.name not in held]
        if files:
            con.execute(f"CREATE OR REPLACE VIEW {name(table.name)} AS {select_files(table, files, absent)}")
    for statement in catalogue.appended_statements(root, manifests):
        con.execute(statement)
    return con


def run_manifest(lake: Path, run_id: str | None = None) -> manifest.Manifest:
    """The manifest of a run, the latest where it was published more than once; of the last publish where no run is named.

    Raises:
        LakeError: there is no lake, or no such run in it.
    """
    root = checked_root(lake)
    state = manifest.read_state(root)
    found = [one for one in manifest.chain(root, state) if run_id in {None, one.run_id}]
    if not found:
        what = "nothing is published here" if state is None else f"no run {run_id} was published here"
        raise LakeError(what, str(root), "the view runs lists what was")
    return found[-1]


def relocate(lake: Path) -> manifest.State:
    """Rebuilds ``audit.duckdb``, so that it names the folder where the lake lies now and defines what this version of the program does.

    Raises:
        LakeError: there is no lake, or an audit is writing to it.
    """
    root = checked_root(lake)
    if not (root / CURRENT).exists():
        raise LakeError("there is no lake here", str(root), "name the folder that holds current.json")
    with writing(root) as opened:
        opened.show(anew=True)
        if opened.state is None:
            raise catalogue.damaged(root)
        return opened.state


def shown_here(address: Address) -> Path:
    """The working copy of a lake in a store, with all that is current there.

    Raises:
        LakeError: there is no lake, or it does not fit what was seen of it, or an audit writes to the copy that is behind.
        StoreError: the store cannot be reached.
    """
    root = working_copy(address)
    if _is_behind(root):
        with writing(root) as opened:
            opened.show()
            if opened.state is None:
                raise LakeError("there is no lake here", str(address), f"publish one: resettle audit INPUT --filings DIR --lake {address}")
    return root


def _is_behind(root: Path) -> bool:
    origin, state = origin_of(root), manifest.read_state(root)
    return origin is None or state is None or origin.is_behind() or not catalogue.is_current(root, state)
