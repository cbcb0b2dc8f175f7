"""A row that cannot be read takes its whole round with it, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.feeds.profile import Cards, Profile
from tests.support.other_feeds import as_tables, write_csv, write_parquet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def folder(a_round: Any, tmp_path: Path) -> Path:
    """Two rounds, R1 and R2, as CSV."""
    second = a_round(round_id="R2")
    for wager in second["participants"][0]["wagers"]:
        wager["wager_id"] += "-2"
    return write_csv(tmp_path / "in", as_tables([a_round(), second]))


@pytest.fixture
def parquet(a_round: Any, tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "in", as_tables([a_round(), a_round(round_id="R2")]))


@pytest.fixture
def deliver(tmp_path: Path) -> Callable[..., Delivery]:
    return lambda *paths, **options: read_delivery(list(paths), {}, tmp_path / "stage", **options)


def change(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / f"{name}.csv"
    text = path.read_text()
    assert text.count(old) == 1, text
    path.write_text(text.replace(old, new))


def refused(delivery: Delivery) -> list[tuple[str, int, str]]:
    return delivery.quarantine().collect().select("source_file", "source_line", "reason").rows()


def is_only_r2(delivery: Delivery, tables: Any) -> bool:
    got = tables(delivery)
    assert set(got["wagers"]["round_id"]) == set(got["hands"]["round_id"]) == {"R2"}
    for row in delivery.source_files.to_dicts():
        assert row["records"] == row["accepted"] + row["quarantined"], row
        # Each table holds as much of one round as of the other.
        assert row["accepted"] == row["quarantined"], row
    return got["rounds"]["round_id"].to_list() == ["R2"]


CASES = {
    "impossible amount": ("w1,2026-11-03T15:00:08.394Z,0.00", "w1,2026-11-03T15:00:08.394Z,1e3", "paid: impossible amount '1e3'"),
    "negative amount": ("ante,10.00,w1,", "ante,-10.00,w1,", "stake: impossible amount '-10.00'"),
    "stake missing": ("ante,10.00,w1,", "ante,,w1,", "stake"),
    "kind missing": ("ante,10.00,w1,", ",10.00,w1,", "kind is missing"),
    "time without offset": ("w1,2026-11-03T15:00:08.394Z", "w1,2026-11-03T15:00:08.394", "time without offset"),
    "unknown status": ("w1,2026-11-03T15:00:08.394Z,0.00,,,,", "w1,2026-11-03T15:00:08.394Z,0.00,,,won,", "unknown value 'won'"),
    "quote not closed": ("ante,10.00,w1,", 'ante,"10.00,w1,', "a quote that is not closed"),
    "quote within a field": ("ante,10.00,w1,", 'an"te,10.00,w1,', "a quote that is not closed, or stands within a field"),
    "a field too many": ("ante,10.00,w1,", "ante,10.00,,w1,", "17 fields where the header names 16"),
    "a field too few": ("ante,10.00,w1,", "ante,10.00,", "15 fields where the header names 16"),
    "no such participant": ("s1,R1,,op-1,p1,,H1,ante", "s1,R1,,op-1,p9,,H1,ante", "no such participant in this round"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wager_that_cannot_be_read(case: str, folder: Path, deliver: Any, tables: Any) -> None:
    old, new, reason = CASES[case]
    change(folder, "wagers", old, new)
    delivery = deliver(folder)
    assert is_only_r2(delivery, tables)
    assert all(reason in why for _, _, why in refused(delivery)), refused(delivery)


ROUND_CASES = {
    "unknown status": ("T1,three_card_poker,1,,,,D1", "rounds", "R1,s1,settled", "R1,s1,done", "status: unknown value 'done'"),
    "another game": ("", "rounds", "R1,s1,settled,round-log/1,T1,three_card_poker", "R1,s1,settled,round-log/1,T1,baccarat", "game"),
    "another schema": ("", "rounds", "R1,s1,settled,round-log/1", "R1,s1,settled,round-log/2", "schema"),
    "sequence": ("", "rounds", "R1,s1,settled,round-log/1,T1,three_card_poker,1,", "R1,s1,settled,round-log/1,T1,three_card_poker,1.5,",
        "sequence: no whole number 1.5"),
    "reading's place": ("", "card_readings", "s1,R1,,1,H1,1,", "s1,R1,,1,H1,first,", "position: no whole number first"),
    "play mode": ("", "participants", "s1,R1,,p1,op-1,,H1,USD,play,2026-11-03T15:00:21.375Z,player,",
        "s1,R1,,p1,op-1,,H1,USD,play,2026-11-03T15:00:21.375Z,player,fun", "play_mode: unknown value 'fun'"),
}  # fmt: skip


@pytest.mark.parametrize("case", ROUND_CASES)
def test_a_row_of_another_table_that_cannot_be_read(case: str, folder: Path, deliver: Any, tables: Any) -> None:
    _, table, old, new, reason = ROUND_CASES[case]
    change(folder, table, old, new)
    delivery = deliver(folder)
    assert is_only_r2(delivery, tables)
    assert all(reason in why for _, _, why in refused(delivery)), refused(delivery)


def test_raw_is_the_line_byte_for_byte(folder: Path, deliver: Any) -> None:
    change(folder, "wagers", "ante,10.00,w1,", 'ante,"10.00,w1,')
    rows = deliver(folder).quarantine().collect()
    data = (folder / "wagers.csv").read_bytes()
    for row in rows.filter(pl.col("source_file") == "wagers.csv").to_dicts():
        assert data[row["byte_offset"] :].startswith(row["raw"])
        assert data.split(b"\n")[row["source_line"] - 1] == row["raw"]


def test_bytes_that_are_no_utf_8(folder: Path, deliver: Any, tables: Any) -> None:
    data = (folder / "wagers.csv").read_bytes()
    (folder / "wagers.csv").write_bytes(data.replace(b"ante,10.00,w1,", b"ante,10.00,w\xff,"))
    delivery = deliver(folder)
    assert is_only_r2(delivery, tables)
    assert {why for _, _, why in refused(delivery)} == {"wagers, row 2: not UTF-8"}


def test_a_row_of_no_round_stands_alone(folder: Path, deliver: Any, tables: Any) -> None:
    with (folder / "hands.csv").open("a") as file:
        file.write("s1,R9,,H1,,Qs Qd 5h\n")
    delivery = deliver(folder)
    assert refused(delivery) == [("hands.csv", 6, "no such round in the table rounds")]
    assert tables(delivery)["rounds"].height == 2


def test_a_line_that_is_too_long(folder: Path, deliver: Any) -> None:
    with (folder / "hands.csv").open("a") as file:
        file.write(f"s1,R1,,{'H' * 5000},,\n")
    delivery = deliver(folder, limits=ReadLimits(block_bytes=512, line_bytes=4096))
    assert [(name, line) for name, line, _ in refused(delivery)] == [("hands.csv", 6)]


@pytest.mark.parametrize(
    ("header", "new", "says"),
    [
        ("wager_id,", "kind,", "names the column kind twice"),
        ("kind,stake,", "kind,amount,", "lacks the column stake"),
        ("studio_id,round_id,", "studio_id,round,", "lacks the column round_id"),
        ("session_id,", "session,", "lacks the column session_id"),
        ("studio_id,", '"studio_id,', "a CSV without a header"),
    ],
)  # fmt: skip
def test_a_header_that_names_the_wrong_columns(folder: Path, deliver: Any, header: str, new: str, says: str) -> None:
    text = (folder / "wagers.csv").read_text()
    (folder / "wagers.csv").write_text(text.replace(header, new, 1))
    with pytest.raises(InputError, match=says):
        deliver(folder)


def test_an_empty_csv(folder: Path, deliver: Any) -> None:
    (folder / "hands.csv").write_bytes(b"")
    with pytest.raises(InputError, match="without a header"):
        deliver(folder)


def test_a_parquet_that_is_cut_off(parquet: Path, deliver: Any) -> None:
    data = (parquet / "wagers.parquet").read_bytes()
    (parquet / "wagers.parquet").write_bytes(data[:-20])
    with pytest.raises(InputError, match="no Parquet, or cut off"):
        deliver(parquet)


TYPES = {
    "amounts as floats": ("wagers", {"stake": pl.Series([10.5, 10.5, 1 / 3, 10.5])}, "stake: no amount 0.333"),
    "amounts as short floats": ("wagers", {"stake": pl.Series([10.5] * 4, dtype=pl.Float32)}, "stake: Float32 where amount"),
    "too many decimals": ("wagers", {"paid": pl.Series([None, None, "1.1234567", None]).cast(pl.Decimal(20, 8))}, "impossible amount"),
    "time without zone": (
        "wagers",
        {"paid_at": pl.Series([None, None, "2026-11-03", None]).str.to_datetime("%Y-%m-%d")},
        "time without offset",
    ),
    "a date for a time": ("wagers", {"paid_at": pl.Series([None, None, "2026-11-03", None]).str.to_date()}, "paid_at: Date where time"),
    "a list for text": ("wagers", {"kind": pl.Series([["ante"], ["play"], ["ante"], ["play"]])}, "kind: List(String) where text"),
}


@pytest.mark.parametrize("case", TYPES)
def test_columns_of_another_type(case: str, parquet: Path, deliver: Any, tables: Any) -> None:
    table, columns, reason = TYPES[case]
    path = parquet / f"{table}.parquet"
    pl.read_parquet(path).with_columns(**columns).write_parquet(path)
    delivery = deliver(parquet)
    why = refused(delivery)
    assert why
    assert all(reason in told for _, _, told in why), why
    assert "R2" not in tables(delivery)["rounds"]["round_id"].to_list()
    for row in delivery.source_files.to_dicts():
        assert row["records"] == row["accepted"] + row["quarantined"], row


def test_a_row_of_a_parquet_is_kept_as_json(parquet: Path, deliver: Any) -> None:
    path = parquet / "wagers.parquet"
    pl.read_parquet(path).with_columns(stake=pl.Series(["10.00", "-1", "10.00", "10.00"])).write_parquet(path)
    raw = deliver(parquet).quarantine().collect().filter(pl.col("source_file") == "wagers.parquet")["raw"].to_list()
    assert b'"stake":"-1"' in raw[1]


def test_rows_that_differ_in_what_a_round_has_but_one_of(folder: Path, deliver: Any) -> None:
    (folder / "voids.csv").write_text("studio_id,round_id,reason,scope\ns1,R1,seal,part\ns1,R1,misdeal,part\n")
    (folder / "displayed.csv").write_text(
        "studio_id,round_id,read_at,decks\ns1,R2,2026-11-03T15:00:00Z,1\ns1,R2,2026-11-03T15:00:01Z,1\n"
    )  # fmt: skip
    told = {why for _, _, why in refused(deliver(folder))}
    assert told == {
        "voids: its rows differ in reason, of which a round has one",
        "displayed: its rows differ in read_at, of which a round has one",
    }


def test_a_profile_gives_the_zone_the_studio_and_the_spelling_of_cards(parquet: Path, deliver: Any, tables: Any) -> None:
    for path in parquet.iterdir():
        frame = pl.read_parquet(path).drop("studio_id")
        if path.stem == "rounds":
            frame = frame.with_columns(opened_at=pl.lit("2026-11-03 10:00:00.000"))
        if path.stem == "hands":
            frame = frame.with_columns(cards=pl.lit(["QD", "10S", "2C"]))
        frame.write_parquet(path)
    profile = Profile("tables", timezone="America/New_York", studio_id="s9", cards=Cards(ten="10", suits="CDHS"))
    got = tables(deliver(parquet, profile=profile))
    assert got["rounds"].select("studio_id", pl.col("opened_at").dt.to_string("iso:strict")).rows() == [
        ("s9", "2026-11-03T15:00:00.000000+00:00")
    ] * 2  # fmt: skip
    assert got["hands"]["cards"].to_list() == [["Qd", "Ts", "2c"]] * 4


@pytest.mark.parametrize("text", ["2026-11-01 01:30:00", "2026-03-08T02:30:00.5"], ids=["shown twice", "never shown"])
def test_a_wall_clock_time_that_is_no_one_time(text: str, parquet: Path, deliver: Any) -> None:
    path = parquet / "rounds.parquet"
    pl.read_parquet(path).with_columns(opened_at=pl.lit(text)).write_parquet(path)
    delivery = deliver(parquet, profile=Profile("tables", timezone="America/New_York"))
    assert {why for _, _, why in refused(delivery)} == {f"opened_at: time without offset '{text}'"}
