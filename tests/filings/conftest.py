from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from pipeline.filings.licence import licence_verdicts
from pipeline.settle.wagers import settle
from tests.support.checks import Ran, run_checks
from tests.support.chunks import make_chunk
from tests.support.submissions import load_texts

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from tests.support.chunks import Row


class RunUnder(Protocol):
    """Runs one check on rounds under filings."""

    def __call__(self, check: str, *texts: str, rounds: list[Row]) -> Ran: ...


@pytest.fixture
def run_under(tmp_path: Path) -> RunUnder:
    """``run_under(check, filing text, …, rounds=[…])``: the findings of one check."""

    def run(check: str, *texts: str, rounds: list[Row]) -> Ran:
        filings = load_texts(tmp_path, *texts)
        chunk = make_chunk(*rounds)

        def register(con: duckdb.DuckDBPyConnection) -> None:
            con.register("filed_licence", licence_verdicts(filings))

        needs_licence = check in {"paytable_not_licensed", "rule_not_licensed", "paytable_expired", "paytable_expiring"}
        ours = settle(chunk, filings.filed)  # what is due has its own tests, with both engines
        return run_checks(chunk, filings.filed, check, engine=ours, before=register if needs_licence else None, reach="both")

    return run
