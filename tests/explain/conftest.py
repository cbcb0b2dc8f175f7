"""A small lake: rounds of the sample day with their wallet, and a round in which everything is named as badly as can be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.ask.query import connect
from pipeline.audit import Request, audit

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "round": "r\"><script>alert('round')</script>",
    "player": "</script><img src=x onerror=alert(1)>\u202e",
    "wager": "w' OR 1=1 --",
    "dealer": "../../etc/passwd\x1b[31m",
}


@dataclass(frozen=True)
class Told:
    """The lake, where its files lie, and the lines of its log."""

    lake: Path
    log: Path
    wallet: Path
    filings: Path
    lines: list[bytes]

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        with connect(self.lake) as con:
            return con.sql(sql).fetchall()


@pytest.fixture(scope="session")
def told(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Not to be changed."""
    root = tmp_path_factory.mktemp("told")
    lines = (sample / "rounds.ndjson").read_bytes().splitlines()[:150]
    record = json.loads(next(line for line in lines if b'"TCP-03"' in line and b'"play"' in line))
    record |= {"round_id": HOSTILE["round"], "dealer_id": HOSTILE["dealer"]}
    person = record["participants"][0]
    person["player_id"] = HOSTILE["player"]
    person["wagers"][0] |= {"wager_id": HOSTILE["wager"], "paid": "77777.00"}
    lines.append(json.dumps(record, ensure_ascii=False).encode())
    log, wallet = root / "delivery" / "rounds.ndjson", root / "delivery" / "wallet.ndjson"
    log.parent.mkdir()
    log.write_bytes(b"\n".join(lines) + b"\n")
    rounds = {json.loads(line)["round_id"] for line in lines}
    booked = (sample / "wallet.ndjson").read_bytes().splitlines(keepends=True)
    wallet.write_bytes(b"".join(line for line in booked if json.loads(line)["round_id"] in rounds))
    command = f"resettle audit {log} --wallet {wallet} --filings filings --lake lake"
    audit(Request((log,), sample / "filings", root / "lake", wallet=(wallet,), roster=sample / "roster.csv", command=command))
    return Told(root / "lake", log, wallet, sample / "filings", lines)
