"""The wallet from file to lake: what it moved beside what was reported, whatever came first and however it was cut."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from pipeline.core.errors import LakeError
from pipeline.lake import verify
from pipeline.lake.layout import REMEDIES
from pipeline.lake.remedies import record
from pipeline.simulate import Settings, simulate
from tests.support.command_line import resettle
from tests.support.restated import Lake

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.restated import Content

Row = dict[str, Any]

FOUND = "SELECT check_id, round_id FROM findings WHERE starts_with(check_id, 'wallet_') AND severity <> 'info' ORDER BY ALL"
MULTIPLIED = """
    SELECT
        (SELECT count(*) FROM wallet) AS entries,
        (SELECT sum(accepted) FROM source_files WHERE source_file LIKE '%wallet%') AS accepted,
        (SELECT count(*) FROM reconciliation) AS lines,
        (SELECT count(*) FROM (SELECT DISTINCT round_id, operator_id, player_id, currency FROM reconciliation)) AS distinct_lines,
        (SELECT sum(reported) FROM reconciliation) - (SELECT sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)) FROM settlements) AS reported,
        (SELECT count(*) FROM wallet_conservation WHERE difference <> 0) AS broken
"""


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two honest days of a studio, with their ledger."""
    out = tmp_path_factory.mktemp("days")
    simulate(Settings(seed=31, rounds=48, days=2, players=3), out)
    return out


@pytest.fixture
def entries(days: Path) -> list[Row]:
    return [json.loads(line) for line in (days / "wallet.ndjson").read_bytes().splitlines()]


@pytest.fixture
def lake(days: Path, lake_of: Callable[..., Lake]) -> Lake:
    return lake_of(days / "filings")


def log(days: Path) -> list[list[bytes]]:
    """The lines of the round log, day by day."""
    lines = (days / "rounds.ndjson").read_bytes().splitlines()
    apart = [line for line in lines if datetime.fromisoformat(json.loads(line)["opened_at"]) >= datetime(2026, 11, 1, 11, tzinfo=UTC)]
    return [[line for line in lines if line not in apart], apart]


def ledger(folder: Path, entries: list[Row], name: str = "wallet.ndjson") -> tuple[Path, ...]:
    (folder / name).write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in entries))
    return (folder / name,)


def test_an_honest_ledger_agrees_and_no_row_is_multiplied(days: Path, lake: Lake) -> None:
    outcome = lake.deliver_files([days / "rounds.ndjson"], wallet=(days / "wallet.ndjson",))
    assert outcome.report.untrusted == ()
    assert lake.ask(FOUND) == []
    ((entries, accepted, lines, distinct, reported, broken),) = lake.ask(MULTIPLIED)
    assert entries == accepted > 300
    assert lines == distinct > 100
    assert (reported, broken) == (0, 0)
    assert {status for (status,) in lake.ask("SELECT DISTINCT status FROM reconciliation WHERE examined")} <= {
        "agrees",
        "a credit is awaited",
    }
    assert lake.ask("SELECT count(*) FROM coverage WHERE check_id = 'wallet_missing_debit' AND examined = 0") == [(0,)]


def test_what_is_planted_in_an_honest_ledger_is_found_and_nothing_else(days: Path, lake: Lake, entries: list[Row], tmp_path: Path) -> None:
    dice = [
        one for one in entries if one["at"] < "2026-11-01T20" and one.get("status", "accepted") == "accepted" and one["amount"] > "0.00"
    ]
    seen: set[str] = set()

    def pick(kind: str) -> Row:
        (one, *_) = [one for one in dice if one["type"] == kind and one["round_id"] not in seen and Decimal(one["amount"])]
        seen.add(one["round_id"])
        return one

    want = []
    gone = [pick("debit"), pick("credit")]
    want += [("wallet_missing_debit", gone[0]), ("wallet_missing_credit", gone[1])]
    doubled = [pick("debit"), pick("credit")]
    want += [("wallet_duplicate", one) for one in doubled]
    off = [pick("debit"), pick("credit")]
    want += [("wallet_amount_mismatch", one) for one in off]
    elsewhere, other = pick("credit"), pick("credit")
    want += [("wallet_currency_mismatch", elsewhere), ("wallet_orphan", other)]
    told = [one for one in entries if (one["type"], one["txn_id"]) not in {(one["type"], one["txn_id"]) for one in gone}]
    changed = []
    for one in told:
        if one in off:
            changed.append(one | {"amount": str(Decimal(one["amount"]) + Decimal("0.01"))})
        elif one == elsewhere:
            changed.append(one | {"currency": "CHF"})
        elif one == other:
            changed.append(one | {"player_id": "nobody"})
        else:
            changed += [one, one | {"txn_id": one["txn_id"] + "-again"}] if one in doubled else [one]
    outcome = lake.deliver_files([days / "rounds.ndjson"], wallet=ledger(tmp_path, changed))
    assert outcome.report.untrusted == ()
    found = {(check, round_id) for check, round_id in lake.ask(FOUND)}
    assert found == {(check, one["round_id"]) for check, one in want} | {("wallet_missing_credit", other["round_id"])}
    assert lake.ask("SELECT count(*) FROM wallet_conservation WHERE explained <> 0")[0][0] > 0
    assert lake.ask("SELECT count(*) FROM wallet_conservation WHERE difference <> 0") == [(0,)]


@pytest.fixture(scope="module")
def whole(days: Path, tmp_path_factory: pytest.TempPathFactory) -> Content:
    """What one delivery of both days ends in."""
    folder = tmp_path_factory.mktemp("whole")
    lake = Lake(folder / "lake", days / "filings", folder)
    lake.deliver_files([days / "rounds.ndjson"], wallet=(days / "wallet.ndjson",))
    return lake.content()


def _in_pieces(lake: Lake, days: Path, entries: list[Row], folder: Path) -> None:
    frame = pl.DataFrame(entries[::-1], infer_schema_length=None)
    frame[:400].write_csv(folder / "wallet-1.csv")
    frame[400:].write_parquet(folder / "wallet-2.parquet")
    lake.deliver_files([days / "rounds.ndjson"], wallet=(folder / "wallet-1.csv", folder / "wallet-2.parquet"))


def _ledger_later(lake: Lake, days: Path, entries: list[Row], folder: Path) -> None:
    first, second = log(days)
    lake.deliver(*first)
    assert lake.ask("SELECT count(*) FROM wallet") == [(0,)]
    lake.deliver(*second, wallet=ledger(folder, entries))


def _ledger_first(lake: Lake, days: Path, entries: list[Row], folder: Path) -> None:
    first, second = log(days)
    lake.deliver(*first, wallet=ledger(folder, entries))
    assert lake.ask("SELECT count(DISTINCT gaming_day) > 1 FROM wallet") == [(True,)]
    assert lake.ask("SELECT count(*) FROM findings WHERE gaming_day > '2026-10-31'") == [(0,)]
    lake.deliver(*second)


def _night_by_night(lake: Lake, days: Path, entries: list[Row], folder: Path) -> None:
    first, second = log(days)
    lake.deliver(*first, wallet=ledger(folder, [one for one in entries if one["at"] < "2026-11-01T06"], "wallet-1.ndjson"))
    lake.deliver(*second, wallet=ledger(folder, [one for one in entries if one["at"] >= "2026-11-01T05"], "wallet-2.ndjson"))


def _second_day_first(lake: Lake, days: Path, entries: list[Row], folder: Path) -> None:
    first, second = log(days)
    lake.deliver(*second, wallet=ledger(folder, entries[300:], "wallet-1.ndjson"))
    lake.deliver(*first, wallet=ledger(folder, entries, "wallet-2.ndjson"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("deliver", [_in_pieces, _ledger_later, _ledger_first, _night_by_night, _second_day_first])
def test_the_order_of_deliveries_does_not_matter(
    deliver: Callable[..., None], days: Path, lake: Lake, entries: list[Row], whole: Content, tmp_path: Path
) -> None:
    deliver(lake, days, entries, tmp_path)
    told = lake.content()
    assert {key for key in whole.keys() | told.keys() if whole.get(key) != told.get(key)} == set()
    verify(lake.root)


@pytest.mark.exhaustive
def test_rounds_told_again_without_their_ledger_keep_it(days: Path, lake: Lake) -> None:
    lake.deliver_files([days / "rounds.ndjson"], wallet=(days / "wallet.ndjson",))
    before = lake.ask("SELECT gaming_day, count(*), sum(moved) FROM wallet GROUP BY ALL ORDER BY ALL")
    lake.deliver(*log(days)[0][:5])
    assert lake.ask("SELECT gaming_day, count(*), sum(moved) FROM wallet GROUP BY ALL ORDER BY ALL") == before
    assert lake.ask(FOUND) == []


def test_only_the_day_asked_for_is_taken_in(days: Path, lake: Lake) -> None:
    lake.deliver_files([days / "rounds.ndjson"], wallet=(days / "wallet.ndjson",), gaming_day=date(2026, 10, 31))
    assert lake.ask("SELECT DISTINCT gaming_day FROM wallet") == [(date(2026, 10, 31),)]
    ((records, told),) = lake.ask(
        "SELECT records, accepted + repeats + quarantined + other_day FROM source_files WHERE source_file = 'wallet.ndjson'"
    )
    assert records == told


def test_without_a_ledger_coverage_says_so(days: Path, lake: Lake) -> None:
    lake.deliver_files([days / "rounds.ndjson"])
    sql = "SELECT DISTINCT examined, reason FROM coverage WHERE starts_with(check_id, 'wallet_')"
    assert lake.ask(sql) == [(0, "not checked: no wallet ledger given")]
    assert lake.ask("SELECT count(*) FROM wallet_conservation") == [(0,)]


def test_a_remedy_is_recorded_and_what_is_open_is_told(days: Path, lake: Lake, entries: list[Row], tmp_path: Path) -> None:
    gone = next(one for one in entries if one["type"] == "credit" and Decimal(one["amount"]) > 2)
    left = [one for one in entries if one != gone]
    lake.deliver_files([days / "rounds.ndjson"], wallet=ledger(tmp_path, left))
    ((finding_id,),) = lake.ask("SELECT finding_id FROM findings WHERE check_id = 'wallet_missing_credit' AND severity = 'critical'")
    status = "SELECT owed, paid, booked, open, status FROM remedy_status"
    owed = Decimal(gone["amount"])
    assert lake.ask(status) == [(owed, 0, 0, owed, "open")]
    ran = resettle("remedy", finding_id, "--lake", lake.root, "--txn", "adj-1", "--amount", "1.00", "--by", "A. Clerk")
    assert ran.exit_code == 0, ran.output
    assert lake.ask(status) == [(owed, 1, 0, owed - 1, "partly paid")]
    record(lake.root, finding_id, "adj-2", str(owed - 1), "B. Clerk", "the rest")
    assert lake.ask(status) == [(owed, owed, 0, 0, "made whole")]
    assert lake.ask("SELECT recorded_by, amount, note FROM remedies ORDER BY recorded_at") == [
        ("A. Clerk", 1, None), ("B. Clerk", owed - 1, "the rest"),
    ]  # fmt: skip
    with pytest.raises(LakeError, match="recorded for this finding already"):
        record(lake.root, finding_id, "adj-2", "1.00", "B. Clerk")
    adjusted = gone | {"type": "adjustment", "txn_id": "adj-1", "amount": "1.00", "ref_finding": finding_id}
    lake.deliver(*log(days)[0][:1], wallet=ledger(tmp_path, [adjusted], "wallet-more.ndjson"))
    assert lake.ask(status) == [(owed, owed, 1, 0, "made whole")]
    verify(lake.root)
    path = lake.root / REMEDIES
    path.write_bytes(path.read_bytes().replace(b"A. Clerk", b"Z. Clerk"))
    with pytest.raises(LakeError, match="changed after it was recorded"):
        verify(lake.root)


@pytest.mark.exhaustive
def test_a_remedy_needs_a_finding_of_a_player_and_an_amount(days: Path, lake: Lake) -> None:
    lake.deliver_files([days / "rounds.ndjson"])
    with pytest.raises(LakeError, match="no finding or incident f0"):
        record(lake.root, "f0", "adj-1", "1.00", "A. Clerk")
    for amount in ("0.00", "-1", "1e3", ""):
        with pytest.raises(LakeError, match="no amount above zero"):
            record(lake.root, "f0", "adj-1", amount, "A. Clerk")
