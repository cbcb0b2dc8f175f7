"""Flat tables say what the log says, whatever the files are like."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.simulate.settings import Settings
from pipeline.simulate.write import simulate
from tests.support.other_feeds import Row, as_tables, csv_text, write_csv, write_parquet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SMALL = ReadLimits(block_bytes=4096)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated")
    simulate(Settings(seed=11, rounds=60, faults={"duplicate_card": 0.05, "void_not_refunded": 0.1, "play_without_ante": 0.05}), folder)
    return folder / "rounds.ndjson"


@pytest.fixture(scope="module")
def rounds(log: Path) -> list[Row]:
    once: dict[str, Row] = {}
    for line in log.read_text().splitlines():
        one = json.loads(line)
        once.setdefault(one["round_id"], one)
    return list(once.values())


@pytest.fixture
def deliver(tmp_path: Path) -> Callable[..., Delivery]:
    def run(*paths: Path, **options: Any) -> Delivery:
        return read_delivery(list(paths), options.pop("gaming_days", {}), tmp_path / f"stage-{len(list(tmp_path.iterdir()))}", **options)

    return run


def alike(one: dict[str, pl.DataFrame], other: dict[str, pl.DataFrame], *, but: tuple[str, ...] = ()) -> None:
    for name, frame in one.items():
        drop = [column for column in ("source_file", "source_line", "feed_lacks", *but) if column in frame.columns]
        # A CSV cannot tell a list of nothing from nothing.
        lists = pl.col(pl.List(pl.String)).fill_null([])
        assert_frame_equal(frame.drop(drop).with_columns(lists), other[name].drop(drop).with_columns(lists))


@pytest.fixture
def told(rounds: list[Row], deliver: Any, tables: Any, tmp_path: Path) -> dict[str, pl.DataFrame]:
    file = tmp_path / "log.ndjson"
    file.write_text("".join(json.dumps(one) + "\n" for one in rounds))
    return tables(deliver(file))  # type: ignore[no-any-return]


def test_csv_tables_say_what_the_log_says(rounds: list[Row], told: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    delivery = deliver(write_csv(tmp_path / "csv", as_tables(rounds)), limits=SMALL)
    assert delivery.quarantine().collect().is_empty()
    alike(told, tables(delivery))


@pytest.mark.parametrize("typed", [False, True])
def test_parquet_tables_say_what_the_log_says(rounds: Any, told: Any, deliver: Any, tables: Any, tmp_path: Path, typed: bool) -> None:
    delivery = deliver(write_parquet(tmp_path / "parquet", as_tables(rounds), typed=typed))
    assert delivery.quarantine().collect().is_empty()
    alike(told, tables(delivery))


def test_rows_in_another_order_of_rounds_are_the_same(rounds: Any, told: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    mixed = as_tables(rounds[1::2] + rounds[::2])
    alike(told, tables(deliver(write_csv(tmp_path / "csv", mixed), limits=SMALL)))


def test_the_books_of_each_table_balance(rounds: Any, deliver: Any, tmp_path: Path) -> None:
    rows = as_tables(rounds)
    books = deliver(write_csv(tmp_path / "csv", rows), limits=SMALL).source_files
    assert dict(books.select("source_file", "accepted").rows()) == {f"{name}.csv": len(told) for name, told in rows.items() if told}
    assert books.select((pl.col("records") == pl.col("accepted")).all()).item()
    assert books["lines"].to_list() == books["records"].to_list()


def test_tables_may_be_compressed_and_have_crlf_and_a_mark(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    folder = write_csv(tmp_path / "csv", as_tables([a_round()]))
    for name in ("wagers", "rounds"):
        text = (folder / f"{name}.csv").read_bytes().replace(b"\n", b"\r\n")
        (folder / f"{name}.csv").unlink()
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + text + b"\r\n"))
    delivery = deliver(folder)
    assert delivery.source_files.filter(pl.col("source_file") == "wagers.csv.gz").select("records", "blank").row(0) == (2, 1)
    assert tables(delivery)["wagers"]["stake"].to_list() == [Decimal("10.000000")] * 2


def test_quoted_fields(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    void = {"reason": 'said "no", twice', "authorised_by": "PIT,1", "scope": "part", "hand_ids": ["H1"]}
    got = tables(deliver(write_csv(tmp_path / "csv", as_tables([a_round(void=void)]))))["rounds"]
    assert got.select("void_reason", "void_authorised_by", "void_hand_ids").row(0) == ('said "no", twice', "PIT,1", ["H1"])


def test_two_sessions_of_a_player_stay_apart(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    person = a_round()["participants"][0]
    both = [{**person, "session_id": name, "wagers": [{**person["wagers"][0], "wager_id": f"w-{name}"}]} for name in ("a", "b")]
    got = tables(deliver(write_csv(tmp_path / "csv", as_tables([a_round(participants=both)]))))
    assert got["participants"]["session_id"].to_list() == ["a", "b"]
    assert got["wagers"].select("wager_id", "session_id").rows() == [("w-a", "a"), ("w-b", "b")]


def test_rows_of_a_void_are_one_void(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    rows = as_tables([a_round(void={"reason": "seal", "scope": "part", "hand_ids": ["H1"]})])
    rows["voids"].append({"studio_id": "s1", "round_id": "R1", "player_ids": ["p1"], "hand_ids": ["H2"]})
    got = tables(deliver(write_csv(tmp_path / "csv", rows)))["rounds"]
    assert got.select("void_reason", "void_hand_ids", "void_player_ids", "void_wager_ids").row(0) == ("seal", ["H1", "H2"], ["p1"], None)


def test_a_round_that_stands_twice_alike_is_a_repeat(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    rows = as_tables([a_round()])
    rows["rounds"] *= 2
    delivery = deliver(write_csv(tmp_path / "csv", rows))
    books = dict(delivery.source_files.select("source_file", pl.struct("accepted", "repeats", "quarantined")).rows())
    assert books["rounds.csv"] == {"accepted": 1, "repeats": 1, "quarantined": 0}
    assert books["wagers.csv"] == {"accepted": 2, "repeats": 0, "quarantined": 0}
    assert tables(delivery)["wagers"].height == 2


def test_a_round_that_stands_twice_unlike_conflicts(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    rows = as_tables([a_round()])
    rows["rounds"].append({**rows["rounds"][0], "dealer_id": "D9"})
    got = tables(deliver(write_csv(tmp_path / "csv", rows)))
    assert got["rounds"]["conflicting"].to_list() == [True, True]
    assert got["wagers"].filter("is_current").height == 2


def test_revisions_keep_their_own_rows(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    changed = a_round(revision=2)
    changed["participants"][0]["wagers"][0]["paid"] = "20.00"
    got = tables(deliver(write_csv(tmp_path / "csv", as_tables([a_round(revision=1), changed]))))["wagers"]
    assert got.filter("is_current")["paid"].to_list() == [Decimal("20.000000"), Decimal("0.000000")]
    assert got.height == 4


def test_a_folder_delivered_twice_repeats_every_row(a_round: Any, deliver: Any, tmp_path: Path) -> None:
    write_csv(tmp_path / "in" / "a", as_tables([a_round()]))
    write_csv(tmp_path / "in" / "b", as_tables([a_round()]))
    books = deliver(tmp_path / "in").source_files
    assert books.filter(pl.col("source_file").str.starts_with("b/")).select((pl.col("repeats") == pl.col("records")).all()).item()
    assert books.filter(pl.col("source_file").str.starts_with("a/")).select((pl.col("accepted") == pl.col("records")).all()).item()


def test_another_day_is_counted_row_by_row(a_round: Any, deliver: Any, tmp_path: Path) -> None:
    rows = as_tables([a_round(), a_round(round_id="R2", opened_at="2026-11-04T15:00:00.000Z")])
    books = deliver(write_csv(tmp_path / "csv", rows), only_day=date(2026, 11, 3)).source_files
    assert books.select((pl.col("other_day") * 2 == pl.col("records")).all()).item()


def test_a_timestamp_resolves_as_its_unit_does(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    folder = write_parquet(tmp_path / "parquet", as_tables([a_round()]))
    at = pl.Series("opened_at", [datetime(2026, 11, 3, 15, 0, 0, 250_000, tzinfo=UTC).replace(tzinfo=None)])
    digits = {}
    for unit in ("ms", "us", "ns"):
        column = at.cast(pl.Datetime(unit)).dt.replace_time_zone("UTC").dt.convert_time_zone("America/New_York")
        pl.read_parquet(folder / "rounds.parquet").with_columns(column).write_parquet(folder / "rounds.parquet")
        got = tables(deliver(folder))["rounds"]
        digits[unit] = got["opened_at_digits"].item()
        assert got["opened_at"].item().isoformat() == "2026-11-03T15:00:00.250000+00:00"
    assert digits == {"ms": 3, "us": 6, "ns": 9}


def test_ids_that_are_whole_numbers_are_text(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    folder = write_parquet(tmp_path / "parquet", as_tables([a_round()]))
    for name in ("participants", "wagers"):
        pl.read_parquet(folder / f"{name}.parquet").with_columns(player_id=pl.lit(70001)).write_parquet(folder / f"{name}.parquet")
    assert tables(deliver(folder))["wagers"]["player_id"].to_list() == ["70001"] * 2


def test_a_folder_without_hands_and_readings_lacks_cards(a_round: Any, deliver: Any, tables: Any, tmp_path: Path) -> None:
    rows = as_tables([a_round()])
    del rows["hands"], rows["card_readings"]
    assert tables(deliver(write_csv(tmp_path / "csv", rows)))["rounds"]["feed_lacks"].to_list() == [["cards", "void_reason"]]


def test_unknown_columns_are_counted(a_round: Any, deliver: Any, tmp_path: Path) -> None:
    folder = write_csv(tmp_path / "csv", as_tables([a_round()]))
    text = csv_text([{**row, "channel": "web"} for row in as_tables([a_round()])["wagers"]], ["studio_id", "round_id", "operator_id",
        "player_id", "session_id", "hand_id", "wager_id", "kind", "stake", "paid", "placed_at", "channel"])  # fmt: skip
    (folder / "wagers.csv").write_text(text)
    books = deliver(folder).source_files.filter(pl.col("source_file") == "wagers.csv")
    assert books["unknown_fields"].item().to_list() == [{"field": "channel", "count": 2}]


@pytest.mark.parametrize(
    ("take", "says"),
    [
        ("rounds", "without the table rounds"),
        ("wagers", "the table wagers is missing"),
        ("participants", "the table participants is missing"),
    ],
)
def test_a_missing_table_is_an_error(a_round: Any, deliver: Any, tmp_path: Path, take: str, says: str) -> None:
    folder = write_csv(tmp_path / "csv", as_tables([a_round()]))
    (folder / f"{take}.csv").unlink()
    with pytest.raises(InputError, match=says):
        deliver(folder)


def test_a_table_that_stands_twice_is_an_error(a_round: Any, deliver: Any, tmp_path: Path) -> None:
    folder = write_csv(tmp_path / "both", as_tables([a_round()]))
    write_parquet(folder, as_tables([a_round()]))
    with pytest.raises(InputError, match="stands here twice"):
        deliver(folder)


def test_another_csv_in_the_folder_is_left_alone(a_round: Any, deliver: Any, tmp_path: Path) -> None:
    folder = write_csv(tmp_path / "csv", as_tables([a_round()]))
    (folder / "control-totals.csv").write_text("studio_id\n")
    assert "control-totals.csv" not in deliver(folder).source_files["source_file"].to_list()
    with pytest.raises(InputError, match="no flat table's name"):
        deliver(folder / "control-totals.csv")
