"""What every check finds in one untidy night stands in ``untidy_night.json``: how much, the first two sentences, and a digest of it all.

It says nothing of what is right, which is for the tests of each check. It notices that a check no longer finds what it did.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.checks import run_checks
from tests.support.chunks import make_round
from tests.support.golden import kept
from tests.support.ledger import registered
from tests.support.night import around
from tests.support.untidy_night import untidy_chunk, untidy_filed, untidy_ledger, untidy_quarantine, untidy_surroundings

if TYPE_CHECKING:
    import duckdb
    import pytest

ANSWERS = Path(__file__).with_name("untidy_night.json")
LINE = '{"table_id": "TCP-01", "sequence": 7'


def found(only: str | None = None) -> dict[str, Any]:
    """For each check, or one, what it finds."""
    chunk = untidy_chunk()
    ledger = tuple(untidy_ledger(chunk))

    def before(con: duckdb.DuckDBPyConnection) -> None:
        meter = {"meter_id": "M7", "seq": 5, "after": "100.00", "currency": "USD"}
        edge = make_round(round_id="edge", sequence=-3, at="2026-11-03T14:50:00+00:00", deck_id="red", meters=[meter])
        quarantined = [LINE, *untidy_quarantine()]
        around(edge=edge, newest="2026-11-05T12:00:00+00:00", quarantined=quarantined, **untidy_surroundings())(con)
        registered(con, set(chunk.rounds["round_id"]), ledger)

    ran = run_checks(chunk, untidy_filed(), only, before=before, reach="both", inputs=("control_totals", "roster", "wallet"))
    told: dict[str, Any] = {}
    for (check_id,), rows in sorted(ran.findings.drop("run_id").group_by("check_id")):
        said = sorted(json.dumps(row, default=str, sort_keys=True) for row in rows.iter_rows(named=True))
        digest = hashlib.sha256("\n".join(said).encode()).hexdigest()
        told[str(check_id)] = {"findings": len(said), "digest": digest[:16], "first": [json.loads(row)["message"] for row in said[:2]]}
    return told


def test_each_check_finds_in_an_untidy_night_what_it_did(request: pytest.FixtureRequest) -> None:
    told = found()
    assert told == json.loads(kept(request, ANSWERS, json.dumps(told, indent=1, ensure_ascii=False) + "\n"))
