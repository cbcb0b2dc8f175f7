"""What a query may reach, and who may read what an audit makes. An operator's checks: tests/reconcile/test_check_run.py."""

from __future__ import annotations

import ast
import os
import socket
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Never

import duckdb
import pytest

from pipeline.ask import query
from pipeline.core import object_store
from pipeline.core.errors import ResettleError
from tests.support.crash import ROOT, doomed
from tests.support.lake import bytes_under

if TYPE_CHECKING:
    from pipeline.audit import Outcome
    from tests.support.crash import Ground

SELECTS = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM read_text('{lake}/../../../../../../../etc/passwd')",
    "SELECT * FROM read_text('{lake}-link')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT * FROM query('COPY (SELECT 1) TO ''x.csv''')",
    "SELECT * FROM query_table('/etc/passwd')",
    "SELECT * FROM read_parquet('https://example.org/x.parquet')",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "SELECT * FROM duckdb_secrets()",
    "SELECT getenv('HOME')",
    "SELECT * FROM a_python_variable",
]
STATEMENTS = [
    "COPY (SELECT 1) TO '{lake}/x.csv'",
    "COPY findings TO '/tmp/x.csv'",
    "ATTACH '/tmp/x.duckdb'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '/tmp/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_directories",
    "PRAGMA enable_profiling",
    "EXPORT DATABASE '/tmp/x'",
    "CREATE TABLE x AS SELECT 1",
    "DROP VIEW findings",
    "CALL enable_logging()",
]


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Never:
        pytest.fail("the network was reached for")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_network")
def test_a_query_reaches_no_file_beyond_the_lake_no_network_and_no_variable(audited: tuple[Path, Outcome]) -> None:
    lake = audited[0]
    a_python_variable = query.pl.DataFrame({"x": [1]})
    link = lake.with_name(f"{lake.name}-link")
    link.symlink_to("/etc/passwd")
    before = bytes_under(lake)
    with query.connect(lake) as con:
        for sql in [*SELECTS, *STATEMENTS]:
            with pytest.raises(ResettleError, match="query: "):
                query.render(query.select(con, sql.format(lake=lake)), "csv")
        for sql in STATEMENTS[1:]:
            with pytest.raises(duckdb.Error):
                con.execute(sql.format(lake=lake))
        assert query.select(con, "SELECT count(*) > 0 FROM findings").fetchall() == [(True,)]
        assert query.select(con, "SELECT current_setting('temp_directory')").fetchall() == [("",)]
    assert bytes_under(lake) == before
    assert a_python_variable.height == 1
    link.unlink()


def test_the_library_for_object_stores_is_loaded_where_an_address_was_given_and_nowhere_else() -> None:
    naming = [path for top in ("pipeline", "flows") for path in (ROOT / top).rglob("*.py") if "obstore" in path.read_text(encoding="utf-8")]
    assert naming == [Path(object_store.__file__)]
    loaded = [node for node in ast.walk(ast.parse(naming[0].read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    lazily = [node for node in loaded if (node.module or "").partition(".")[0] == "obstore"]
    assert lazily
    assert min(node.col_offset for node in lazily) > 0


@pytest.mark.parametrize("fate", ["none", *(pytest.param(fate, marks=pytest.mark.exhaustive) for fate in ("kill:settle", "kill:recorded"))])
def test_nobody_but_owner_and_group_may_read_what_an_audit_makes(fate: str, ground: Ground, tmp_path: Path) -> None:
    words = [*ground.words(tmp_path / "made" / "lake"), "--report", str(tmp_path / "made" / "report")]
    doomed(fate, words, preexec_fn=partial(os.umask, 0)).communicate()
    made = sorted((tmp_path / "made").rglob("*"))
    assert [path for path in made if path.is_file()]
    assert [path for path in made if path.stat().st_mode & 0o027] == []
