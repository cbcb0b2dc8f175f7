"""What a test settles is settled once, however many mutants it is tried with.

A mutant changes one file of SQL. Rounds that stand settled in a connection need only the files from that one on; the other engine says the
same as before; and of the texts that did not change nothing is read anew. Compared is what a test gives, not which test it is.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from pipeline.reconcile import checks as loading
from pipeline.reconcile.session import open_session
from pipeline.settle import wagers
from pipeline.settle.twin import FIRST_OF_A_CHUNK, Twin, settle_files
from tests.support import checks, twins

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb
    import polars as pl

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

_MEMORY = "2GB"
"""Enough for any test; a mutant that joins each row with each is refused more, which leaves the connection sound."""
_NOTHING = "~"
"""Sorts after the name of every file."""


@dataclass(slots=True)
class Remembered:
    """What is kept while the mutants of one file are tried. Makes itself at home in the process that it is made in.

    What a test module keeps of its own accord is forgotten with each mutant.

    Args:
        path: the file that changes, as the tests read it.
    """

    path: Path
    _settled: list[tuple[Chunk, Filed, pl.DataFrame]] = field(default_factory=list)
    _standing: dict[int, tuple[Chunk, Filed]] = field(default_factory=dict)
    _sessions: list[tuple[duckdb.DuckDBPyConnection, Twin]] = field(default_factory=list)
    _given: int = 0
    _of_tests: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Stand in for what settles, for what reads the checks, and for new connections of checks."""
        loading.parse_check, loading.parse_view = cache(loading.parse_check), cache(loading.parse_view)
        register = Twin.register
        Twin.settle = lambda twin, chunk, filed: self._settle_in_sql(register, twin, chunk, filed)  # type: ignore[method-assign]
        Twin.register = lambda twin, chunk, filed: (self._standing.pop(id(twin), None), register(twin, chunk, filed))[1]  # type: ignore[method-assign]
        ours = wagers.settle
        for name, module in list(sys.modules.items()):
            if name.startswith(("tests.", "pipeline.")) and getattr(module, "settle", None) is ours:
                module.settle = partial(self._settle, ours)  # type: ignore[attr-defined]
            if name.startswith("tests.") and hasattr(module, "open_session"):
                module.open_session = partial(open_session, memory_limit=_MEMORY, threads=1)  # type: ignore[attr-defined]
            if name.rpartition(".")[2].startswith("test_"):
                self._of_tests += [
                    one.cache_clear for one in vars(module).values() if hasattr(one, "cache_clear") and one.__module__ == name
                ]
        checks._shared_session()
        checks._new_session = partial(self._session, checks._new_session)

    def another_test(self) -> None:
        """Forget what the test before gave."""
        self._settled.clear()
        self._sessions.clear()
        self._standing.clear()

    def write(self, text: str) -> None:
        """Let the file hold this."""
        self.path.write_text(text)
        self._given = 0
        loading._of_the_project.cache_clear()
        checks.all_checks.cache_clear()
        for forget in self._of_tests:
            forget()
        for name, sql in settle_files():
            if self._begin <= name < FIRST_OF_A_CHUNK:
                twins.twin().con.execute(sql)

    @property
    def _begin(self) -> str:
        return self.path.name if self.path.parent.name == "settle" else _NOTHING

    def _settle(self, ours: Callable[[Chunk, Filed], pl.DataFrame], chunk: Chunk, filed: Filed) -> pl.DataFrame:
        for other, under, told in self._settled:
            if _same(chunk, other) and _same(filed, under):
                return told
        told = ours(chunk, filed)
        self._settled.append((chunk, filed, told))
        return told

    def _settle_in_sql(self, register: Callable[[Twin, Chunk, Filed], None], twin: Twin, chunk: Chunk, filed: Filed) -> pl.DataFrame:
        before = self._standing.pop(id(twin), None)
        stands = before is not None and _same(chunk, before[0]) and _same(filed, before[1])
        begin = self._begin if stands else FIRST_OF_A_CHUNK
        if not stands:
            register(twin, chunk, filed)
        for name, text in settle_files():
            if name >= max(self._begin, FIRST_OF_A_CHUNK):
                self._standing[id(twin)] = (chunk, filed)
            if name >= max(begin, FIRST_OF_A_CHUNK):
                twin.con.execute(text)
        self._standing[id(twin)] = (chunk, filed)
        return twin._words()

    def _session(self, new: Callable[[], tuple[duckdb.DuckDBPyConnection, Twin]]) -> tuple[duckdb.DuckDBPyConnection, Twin]:
        """The connection that this test was given when it asked for as many before."""
        if self._given == len(self._sessions):
            self._sessions.append(new())
        self._given += 1
        return self._sessions[self._given - 1]


def _same(one: Any, other: Any) -> bool:
    return one is other or all(getattr(one, table.name).equals(getattr(other, table.name)) for table in fields(one))
