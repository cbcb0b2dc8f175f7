"""A sound file of every format that is read, ways to poison it, and what must hold whatever comes of it."""

from __future__ import annotations

import gzip
import io
import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
from hypothesis import strategies as st

from pipeline.core.errors import ResettleError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.control_totals import read_control_totals
from pipeline.feeds.delivery import read_delivery
from pipeline.feeds.profile import read_profile
from pipeline.feeds.roster import read_roster
from pipeline.feeds.wallet_ledger import ledger_files, read_ledger
from pipeline.feeds.wallet_profile import read_wallet_profile
from pipeline.filings.load import load_filings
from tests.support.other_feeds import as_document, as_games, as_tables, profile_for, write_csv, write_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SMALL = ReadLimits(block_bytes=1 << 10, line_bytes=64 << 10)

WALLET_PROFILE = b"""[wallet]
studio_id = "studio-7"
timezone = "America/New_York"
debits = "negative"
amounts = "minor_units"
[wallet.columns]
txn_id = "id"
[wallet.types]
BET = "debit"
[wallet.minor_digits]
EUR = 3
"""

NASTY = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b'"\\ud800"', b"\xef\xbb\xbf", b"\n", b"\r\n", b"\n\n", b"\xe2\x80\xa8", b'"', b"'", b"\\",
    b",", b";", b"{", b"}", b"[", b"]", b"[" * 3000, b'{"a":' * 3000, b"]" * 9, b"1e400", b"-1e400", b"NaN", b"Infinity", b"-0", b"9" * 40,
    b"9" * 5000, b"0.0000001", b"1.00000000000000000000001", b"null", b"true", b"\xe2\x80\xae", b"=1+1", b"<script>alert(1)</script>",
    b"../../etc/passwd", b"'; DROP TABLE rounds; --", b"2026-11-31T25:61:61Z", b"2026-11-01T01:30:00", b"0001-01-01T00:00:00Z",
    b"9999-12-31T23:59:59.999999999+14:00", b"1 to 0", b"0 to 1", b'"stake":"1","stake":"2",', b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1",
    b"%s%n", b"x" * 70_000,
]  # fmt: skip

Change = tuple[str, float, float, bytes]


def changes() -> st.SearchStrategy[list[Change]]:
    """Some changes to a file: what is done, where it begins and how far it reaches (parts of the whole), and with what."""
    kind = st.sampled_from(["flip", "cut", "insert", "replace", "repeat", "move", "end"])
    place = st.floats(0, 1, exclude_max=True)
    return st.lists(st.tuples(kind, place, place, st.sampled_from(NASTY) | st.binary(max_size=12)), min_size=1, max_size=4)


def poisoned(content: bytes, told: list[Change]) -> bytes:
    for kind, place, reach, what in told:
        at = int(place * len(content))
        # Most changes are short, as most accidents are.
        to = min(len(content), at + 1 + int(reach**6 * len(content)))
        head, body, tail = content[:at], content[at:to], content[to:]
        if kind == "flip" and body:
            content = head + bytes([body[0] ^ (1 << int(reach * 8))]) + body[1:] + tail
        content = {
            "flip": content, "cut": head + tail, "insert": head + what + body + tail, "replace": head + what + tail,
            "repeat": head + body * 3 + tail, "move": tail + head + body, "end": head,
        }[kind]  # fmt: skip
    return content


@dataclass(frozen=True)
class Reading:
    """How a format is read.

    Attributes:
        files: sound files by name.
        victims: which of them are poisoned.
        read: reads the folder that holds them; a second, empty one is there to work in.
    """

    files: Mapping[str, bytes]
    victims: tuple[str, ...]
    read: Callable[[Path, Path], None]

    def survives(self, victim: str, content: bytes, folder: Path) -> bool:
        """Reads the poisoned files; true where they could be read, false where they were refused in words."""
        shutil.rmtree(folder, ignore_errors=True)
        for name, sound in {**self.files, victim: content}.items():
            path = folder / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(sound)
        (folder / "work").mkdir()
        try:
            self.read(folder / "in", folder / "work")
        except ResettleError as error:
            assert error.exit_code == 2, error  # noqa: PT017
            assert error.what  # noqa: PT017
            return False
        return True


def readings(sample: Path, folder: Path) -> dict[str, Reading]:
    """Every format that is read."""
    lines = (sample / "rounds.ndjson").read_bytes().splitlines(keepends=True)[:3]
    log = b"".join(lines)
    rounds = [json.loads(line) for line in lines]
    ledger = b"".join((sample / "wallet.ndjson").read_bytes().splitlines(keepends=True)[:8])
    entries = pl.DataFrame([json.loads(line) for line in ledger.splitlines()])
    csv = {f"t/{path.name}": path.read_bytes() for path in write_csv(folder / "csv", as_tables(rounds)).iterdir()}
    parquet = {f"t/{path.name}": path.read_bytes() for path in write_parquet(folder / "parquet", as_tables(rounds)).iterdir()}
    history = json.dumps(as_document(as_games(rounds))).encode()
    profile = profile_for(rounds[0]["studio_id"]).encode()
    filing = (sample / "filings/keystone-main-2026.toml").read_bytes()
    return {
        "log": Reading({"a.ndjson": log}, ("a.ndjson",), _delivery),
        "log, gzip": Reading({"a.ndjson.gz": gzip.compress(log, mtime=0)}, ("a.ndjson.gz",), _delivery),
        "tables, csv": Reading(csv, tuple(csv), _delivery),
        "tables, parquet": Reading(parquet, tuple(parquet), _delivery),
        "history": Reading({"h.json": history, "p.toml": profile}, ("h.json",), _history),
        "ledger": Reading({"w.ndjson": ledger}, ("w.ndjson",), _ledger),
        "ledger, csv": Reading({"w.csv": entries.write_csv().encode()}, ("w.csv",), _ledger),
        "ledger, parquet": Reading({"w.parquet": _parquet(entries)}, ("w.parquet",), _ledger),
        "filing": Reading({"f.toml": filing}, ("f.toml",), lambda given, _: _done(load_filings(given))),
        "profile": Reading({"p.toml": profile}, ("p.toml",), lambda given, _: _done(read_profile(given / "p.toml"))),
        "wallet profile": Reading({"p.toml": WALLET_PROFILE}, ("p.toml",), lambda given, _: _done(read_wallet_profile(given / "p.toml"))),
        "control totals": _beside(sample / "control-totals.csv", read_control_totals),
        "roster": _beside(sample / "roster.csv", read_roster),
    }


def _beside(path: Path, read: Callable[[Path], pl.DataFrame]) -> Reading:
    content = b"".join(path.read_bytes().splitlines(keepends=True)[:4])
    return Reading({path.name: content}, (path.name,), lambda given, _: _done(read(given / path.name)))


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _done(_: object) -> None:
    pass


def _delivery(given: Path, work: Path, profile: Any = None) -> None:
    delivery = read_delivery([given], {}, work / "stage", limits=SMALL, profile=profile)
    # What is read must be fit to be written: chunks are made, and every row of the quarantine is there.
    for night in delivery.stage.partitions():
        for chunk in delivery.stage.chunks(night, 1000):
            assert chunk.rounds.height
    _balance(delivery.source_files, delivery.quarantine().collect())


def _history(given: Path, work: Path) -> None:
    profile = read_profile(given / "p.toml")
    (given / "p.toml").rename(work / "p.toml")
    _delivery(given, work, profile)


def _ledger(given: Path, work: Path) -> None:
    ledger = read_ledger(ledger_files([given]), work / "stage", limits=SMALL)
    taken = sum(pl.read_parquet(piece).height for piece in ledger.pieces)
    books = ledger.source_files({}, {})
    assert taken == books["accepted"].sum() + books["repeats"].sum() + books["other_day"].sum()
    _balance(books, ledger.spool.rows().collect())


def _balance(books: pl.DataFrame, quarantine: pl.DataFrame) -> None:
    for row in books.to_dicts():
        assert row["records"] == row["accepted"] + row["repeats"] + row["quarantined"] + row["other_day"], row
        assert row["quarantined"] == quarantine.filter(pl.col("source_file") == row["source_file"]).height, row
