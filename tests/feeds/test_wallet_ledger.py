"""Reading wallet-ledger/1: every format alike, every record accounted for, nothing read wrongly in silence."""

from __future__ import annotations

import gzip
import json
import shutil
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.wallet_ledger import Ledger, ledger_files, read_ledger
from pipeline.feeds.wallet_profile import read_wallet_profile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Row = dict[str, Any]

BASE: Row = {
    "txn_id": "t1", "type": "debit", "operator_id": "op-1", "player_id": "p1", "round_id": "r1", "amount": "12.50", "currency": "USD",
    "at": "2026-11-03T15:00:08.394Z",
}  # fmt: skip


def line(**changes: Any) -> bytes:
    return json.dumps({name: value for name, value in {**BASE, **changes}.items() if value is not ...}).encode()


def row(**changes: Any) -> str:
    return ",".join({**BASE, **changes}.values())


HEADER = ",".join(BASE)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., tuple[pl.DataFrame, pl.DataFrame, Row]]:
    """Reads one file; gives its entries, its quarantine and its books, which must balance."""

    def run(name: str, content: bytes, profile: str | None = None, block_bytes: int = 256) -> tuple[pl.DataFrame, pl.DataFrame, Row]:
        (tmp_path / name).write_bytes(content)
        told = None
        if profile is not None:
            (tmp_path / "profile.toml").write_text(profile)
            told = read_wallet_profile(tmp_path / "profile.toml")
        ledger = read_ledger(ledger_files([tmp_path / name]), tmp_path / "stage", told, limits=ReadLimits(block_bytes=block_bytes))
        return _taken(ledger)

    return run


def _taken(ledger: Ledger) -> tuple[pl.DataFrame, pl.DataFrame, Row]:
    frames = [pl.read_parquet(piece) for piece in ledger.pieces]
    entries = pl.concat(frames).sort("source_line") if frames else pl.DataFrame({"txn_id": []})
    quarantine = ledger.spool.rows().collect().sort("source_line")
    (books,) = ledger.source_files({}, {}).to_dicts()
    assert books["records"] == books["accepted"] + books["quarantined"]
    assert (entries.height, quarantine.height) == (books["accepted"], books["quarantined"])
    return entries, quarantine, books


def test_an_entry_is_read_to_the_last_digit(read: Callable[..., Any]) -> None:
    entries, _, _ = read("w.ndjson", line(amount="123456789012.123456", at="2026-11-03T10:00:08.5-05:00") + b"\n")
    one = entries.row(0, named=True)
    assert one["amount"] == Decimal("123456789012.123456")
    assert (one["at"], one["at_digits"], one["status"]) == (datetime(2026, 11, 3, 15, 0, 8, 500000, UTC), 1, "accepted")


def test_every_format_says_the_same(tmp_path: Path) -> None:
    rows = [{**BASE, "txn_id": f"t{n}", "amount": f"{n}.25", "wager_id": None if n % 2 else f'w,"{n}"'} for n in range(50)]
    text = b"".join(line(**one) + b"\n" for one in rows)
    frame = pl.DataFrame(rows)
    frame.write_parquet(tmp_path / "text.parquet")
    typed = frame.with_columns(pl.col("amount").cast(pl.Decimal(18, 8)), pl.col("at").str.to_datetime(time_unit="ms", time_zone="UTC"))
    typed.write_parquet(tmp_path / "typed.parquet")
    files = {
        "a.ndjson": text, "b.ndjson.gz": gzip.compress(text), "c.ndjson.zst": pa.compress(text, "zstd", asbytes=True),
        "d.csv": frame.write_csv().encode(), "e.csv": frame.write_csv(quote_style="always", line_terminator="\r\n").encode(),
        "f.csv.gz": gzip.compress(b"\xef\xbb\xbf" + frame.write_csv().encode()),
        "g.parquet": (tmp_path / "text.parquet").read_bytes(), "h.parquet": (tmp_path / "typed.parquet").read_bytes(),
    }  # fmt: skip
    told = []
    for number, (name, content) in enumerate(files.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / name).write_bytes(content)
        entries, quarantine, _ = _taken(read_ledger(ledger_files([folder]), folder / "stage", limits=ReadLimits(block_bytes=512)))
        assert quarantine.is_empty(), (name, quarantine["reason"].to_list())
        told.append(entries.drop("source_file", "source_line"))
    assert all(one.equals(told[0]) for one in told)
    assert told[0].height == 50


POISONS: dict[str, tuple[bytes, str]] = {
    "cut off": (line()[:-9], "no JSON: cut off"),
    "not UTF-8": (line(player_id="p\xff").replace(b"\\u00ff", b"\xff"), "not UTF-8"),
    "two objects in one line": (line() + line(), "no JSON"),
    "a duplicate key": (line()[:-1] + b', "amount": "99.00"}', "duplicate key 'amount'"),
    "an unknown type": (line(type="bonus"), "type: unknown value bonus"),
    "an unknown status": (line(status="pending"), "status: unknown value pending"),
    "no operator": (line(operator_id=...), "operator_id is missing"),
    "an empty player": (line(player_id=""), "player_id is missing"),
    "no round": (line(round_id=...), "round_id is missing"),
    "no amount": (line(amount=None), "amount is missing"),
    "a negative amount": (line(amount="-1.00"), "impossible amount '-1.00'"),
    "seven decimals": (line(amount="1.0000001"), "impossible amount"),
    "an exponent": (line(amount="1e3"), "impossible amount"),
    "an amount with an exponent as a number": (line().replace(b'"12.50"', b"1e3"), "impossible amount 1e3 as a number"),
    "an amount that is a list": (line(amount=["1.00"]), "impossible amount"),
    "a number for an id": (line(txn_id=5), "txn_id: a whole number where text should be"),
    "no offset": (line(at="2026-11-03T15:00:08.394"), "time without offset"),
    "no such day": (line(at="2026-02-30T15:00:08Z"), "impossible time"),
    "no time": (line(at=...), "at is missing"),
}


@pytest.mark.parametrize(("poison", "reason"), POISONS.values(), ids=POISONS)
def test_what_cannot_be_read_is_kept_with_its_line_and_reason(read: Callable[..., Any], poison: bytes, reason: str) -> None:
    before = line(txn_id="a") + b"\n\n"
    entries, quarantine, books = read("w.ndjson", before + poison + b"\n" + line(txn_id="b") + b"\n", block_bytes=1 << 20)
    assert entries["txn_id"].to_list() == ["a", "b"]
    one = quarantine.row(0, named=True)
    assert reason in one["reason"]
    assert (one["source_line"], one["byte_offset"], one["raw"]) == (3, len(before), poison)
    assert (books["lines"], books["blank"], books["records"]) == (4, 1, 3)


def test_two_broken_lines_do_not_cancel_out(read: Callable[..., Any]) -> None:
    entries, quarantine, _ = read("w.ndjson", b'{"a":[\n' + line(txn_id="b") + b"\n]}\n", block_bytes=1 << 20)
    assert entries.select("txn_id", "source_line").rows() == [("b", 2)]
    assert quarantine["source_line"].to_list() == [1, 3]


def test_amounts_as_numbers_are_exact_and_unknown_fields_are_counted(read: Callable[..., Any]) -> None:
    content = line(fee="0.10").replace(b'"12.50"', b"123456789.123456") + b"\n" + line(fee="0.20") + b"\n"
    entries, _, books = read("w.ndjson", content)
    assert entries["amount"].to_list() == [Decimal("123456789.123456"), Decimal("12.50")]
    assert books["unknown_fields"] == [{"field": "fee", "count": 2}]


def test_an_adjustment_may_do_without_a_round(read: Callable[..., Any]) -> None:
    entries, quarantine, _ = read("w.ndjson", line(type="adjustment", round_id=..., ref_finding="f1") + b"\n")
    assert quarantine.is_empty()
    assert entries.select("round_id", "ref_finding").rows() == [(None, "f1")]


CSV_POISONS: dict[str, tuple[bytes, str]] = {
    "a field too few": (row().rpartition(",")[0].encode(), "7 fields where the header names 8"),
    "a field too many": ((row() + ",x").encode(), "9 fields where the header names 8"),
    "a quote that is never closed": (row(player_id='"p1').encode(), "quotes that do not close"),
    "a quote within a field": (row(player_id='p"1').encode(), "quotes that do not close"),
    "not UTF-8": (row(player_id="p\xff").encode("latin-1"), "not UTF-8"),
    "an empty amount": (row(amount="").encode(), "amount is missing"),
    "a thousands comma": (row(amount='"1,000.00"').encode(), "impossible amount '1,000.00'"),
}


@pytest.mark.parametrize(("poison", "reason"), CSV_POISONS.values(), ids=CSV_POISONS)
@pytest.mark.parametrize("block_bytes", [64, 1 << 20])
def test_a_broken_row_of_a_csv_costs_itself_and_no_other(read: Callable[..., Any], poison: bytes, reason: str, block_bytes: int) -> None:
    before = f"{HEADER}\n{row(txn_id='a')}\n"
    content = before.encode() + poison + b"\n" + f"{row(txn_id='b', player_id=chr(34) + 'p,1' + chr(34))}\n\n".encode()
    entries, quarantine, books = read("w.csv", content, block_bytes=block_bytes)
    assert entries.select("txn_id", "player_id", "source_line").rows() == [("a", "p1", 2), ("b", "p,1", 4)]
    one = quarantine.row(0, named=True)
    assert reason in one["reason"]
    assert (one["source_line"], one["byte_offset"], one["raw"]) == (3, len(before), poison)
    assert (books["lines"], books["blank"], books["records"]) == (5, 1, 3)


@pytest.mark.parametrize(
    ("header", "fault"),
    [("", "is empty"), (HEADER.replace(",at", ""), "lacks the column at"), (HEADER + ",at", "names the column at twice")],
)
def test_a_csv_without_its_columns_is_refused_whole(read: Callable[..., Any], header: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read("w.csv", header.encode())


def test_a_csv_counts_its_unknown_columns(read: Callable[..., Any]) -> None:
    _, _, books = read("w.csv", f"{HEADER},fee\n{row()},0.10\n{row()},\n".encode())
    assert books["unknown_fields"] == [{"field": "fee", "count": 1}]


def test_parquet_amounts_in_floats_are_refused(read: Callable[..., Any], tmp_path: Path) -> None:
    pl.DataFrame([{**BASE, "amount": 12.5}]).write_parquet(tmp_path / "f.parquet")
    with pytest.raises(InputError, match="not exact"):
        read("w.parquet", (tmp_path / "f.parquet").read_bytes())


def test_parquet_that_holds_fewer_rows_than_it_says_is_refused(read: Callable[..., Any], tmp_path: Path) -> None:
    pl.DataFrame([{**BASE, "txn_id": f"t{number}"} for number in range(8)]).write_parquet(
        tmp_path / "f.parquet", compression="uncompressed"
    )
    sound = (tmp_path / "f.parquet").read_bytes()
    said = []
    # In the footer a whole number is written doubled: sixteen stands for eight, of rows and of other things.
    for at in (at for at in range(len(sound) - 8 - int.from_bytes(sound[-8:-4], "little"), len(sound)) if sound[at] == 16):
        shutil.rmtree(tmp_path / "stage", ignore_errors=True)
        try:
            read("w.parquet", sound[:at] + bytes([18]) + sound[at + 1 :])
        except InputError as error:
            said.append(str(error))
    assert [one for one in said if "says that it has 9 rows, and 8 can be read" in one]


def test_a_parquet_row_that_cannot_be_read_is_kept(read: Callable[..., Any], tmp_path: Path) -> None:
    pl.DataFrame([BASE, {**BASE, "amount": "x"}]).write_parquet(tmp_path / "f.parquet")
    entries, quarantine, _ = read("w.parquet", (tmp_path / "f.parquet").read_bytes())
    assert entries["source_line"].to_list() == [1]
    assert (quarantine["source_line"][0], quarantine["reason"][0]) == (2, "amount: impossible amount 'x'")
    assert json.loads(quarantine["raw"][0])["txn_id"] == "t1"


PROFILE = """
[wallet]
studio_id = "studio-7"
timezone = "America/New_York"
debits = "negative"
amounts = "minor_units"
[wallet.columns]
txn_id = "id"
at = "booked at"
[wallet.types]
BET = "debit"
WIN = "credit"
[wallet.minor_digits]
EUR = 3
"""


def test_a_profile_reads_json_numbers_below_zero(read: Callable[..., Any]) -> None:
    content = line().replace(b'"12.50"', b"-12.50") + b"\n" + line(type="credit").replace(b'"12.50"', b"3.5") + b"\n"
    entries, quarantine, _ = read("w.ndjson", content, '[wallet]\ndebits = "negative"\n')
    assert quarantine.is_empty()
    assert entries["amount"].to_list() == [Decimal("12.50"), Decimal("3.50")]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[wallet]\nsign = 1", "wallet.sign"),
        ('[wallet]\ndebits = "minus"', "wallet.debits"),
        ('[wallet]\ntimezone = "Mars/Olympus"', "wallet.timezone"),
        ('[wallet.columns]\nid = "x"', "wallet.columns.id"),
        ('[wallet.columns]\namount = "a|b"', "wallet.columns.amount"),
        ('[wallet.columns]\namount = "at"', "wallet.columns"),
        ('[wallet.types]\nBET = "stake"', "wallet.types.BET"),
        ("[wallet.minor_digits]\nUSD = 2", "wallet.minor_digits"),
        ('[wallet]\namounts = "minor_units"\n[wallet.minor_digits]\nUSD = 9', "wallet.minor_digits.USD"),
        ('[wallet]\nstudio_id = "s"\n[wallet.columns]\nstudio_id = "s"', "wallet.studio_id"),
        ("wallet = 1", "wallet"),
        ("[wallet", "profile.toml"),
    ],
)
def test_a_wrong_profile_is_refused_by_its_key(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "profile.toml").write_text(text)
    with pytest.raises(InputError, match=where.replace(".", r"\.")):
        read_wallet_profile(tmp_path / "profile.toml")


def test_a_ledger_that_bears_a_round_logs_name_gets_another(tmp_path: Path) -> None:
    (tmp_path / "day.ndjson").write_bytes(b"")
    assert [file.name for file in ledger_files([tmp_path / "day.ndjson"], {"day.ndjson"})] == ["wallet/day.ndjson"]
