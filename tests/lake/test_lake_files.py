from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from pipeline.lake import sink
from pipeline.lake.analyst_views import analyst_views
from pipeline.lake.content import Content, Control
from pipeline.lake.layout import folder_name, partition_file
from pipeline.lake.partition import PartitionWriter, decode, encode
from pipeline.lake.sink import TableSink
from pipeline.lake.tables import PARTITION_TABLES, STORED_TABLES, duckdb_type
from tests.support.lake import DAY, cuts, findings, made, publish, settlements

TABLE = PARTITION_TABLES["settlements"]
ROW_GROUP = 2048


@pytest.fixture(autouse=True)
def _small_row_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sink, "ROW_GROUP", ROW_GROUP)


def written(folder: Path, pieces: list[pl.DataFrame]) -> bytes:
    one = TableSink(TABLE, folder, "t.parquet")
    for piece in pieces:
        one.append(piece)
    one.close()
    return (folder / "t.parquet").read_bytes()


@pytest.mark.parametrize("sizes", [[1], [5, 0, 7], [ROW_GROUP], [ROW_GROUP + 1, 3], [100] * 23])
def test_the_cut_of_the_frames_does_not_change_a_byte(tmp_path: Path, sizes: list[int]) -> None:
    rows = settlements(ROW_GROUP + 500, player_id=[f"p{i % 1000}" for i in range(ROW_GROUP + 500)])
    assert written(tmp_path / "a", [rows]) == written(tmp_path / "b", cuts(rows, sizes))


def test_row_groups_are_of_fixed_size(tmp_path: Path) -> None:
    written(tmp_path, cuts(settlements(ROW_GROUP * 2 + 7), [100] * 30))
    found = pq.ParquetFile(tmp_path / "t.parquet").metadata
    assert [found.row_group(i).num_rows for i in range(found.num_row_groups)] == [ROW_GROUP, ROW_GROUP, 7]
    assert found.row_group(0).column(0).compression == "ZSTD"


def test_a_file_names_no_path_and_no_clock(tmp_path: Path) -> None:
    content = written(tmp_path, [settlements(10)])
    assert str(tmp_path).encode() not in content
    assert pq.ParquetFile(tmp_path / "t.parquet").metadata.metadata is None


def test_every_type_comes_back_as_it_went_in(tmp_path: Path) -> None:
    for table in STORED_TABLES.values():
        one = TableSink(table, tmp_path, f"{table.name}.parquet")
        one.append(made(table, 2))
        one.close()
        found = duckdb.sql(f"DESCRIBE SELECT * FROM '{tmp_path}/{table.name}.parquet'").fetchall()
        wanted = ", ".join(f'CAST(NULL AS {duckdb_type(column.dtype)}) AS "{column.name}"' for column in table.columns)
        assert [row[:2] for row in found] == [row[:2] for row in duckdb.sql(f"DESCRIBE SELECT {wanted}").fetchall()]


def test_amounts_keep_every_digit(tmp_path: Path) -> None:
    amounts = [Decimal("999999999999.999999"), Decimal("0.000001"), None]
    written(tmp_path, [settlements(3, stake=amounts)])
    assert [row[0] for row in duckdb.sql(f"SELECT stake FROM '{tmp_path}/t.parquet'").fetchall()] == amounts


def test_a_frame_with_another_column_or_type_is_refused(tmp_path: Path) -> None:
    one = TableSink(TABLE, tmp_path, "t.parquet")
    with pytest.raises(TypeError, match=r"settlements: unexpected \['stake Float64'\]"):
        one.append(settlements(1).with_columns(pl.col("stake").cast(pl.Float64)))
    with pytest.raises(TypeError, match="missing \\['rule'\\]"):
        one.append(settlements(1).drop("rule"))


def content_of(*frames: pl.DataFrame) -> str:
    content = Content(TABLE)
    for frame in frames:
        content.add(frame)
    return content.digest()


def test_the_content_digest_does_not_see_order_cut_or_source() -> None:
    rows = settlements(100)
    moved = rows.with_columns(source_file=pl.lit("other.ndjson"), source_line=pl.col("source_line") + 7)
    assert content_of(rows) == content_of(*cuts(moved.reverse(), [30, 0, 1]))


def test_the_content_digest_sees_each_value_each_repeat_and_which_column_holds_it() -> None:
    rows = settlements(100)
    assert content_of(rows) != content_of(
        rows.with_columns(
            paid=pl.when(pl.col("wager_key") == 50).then(pl.lit(Decimal("20.000001"))).otherwise("paid").cast(pl.Decimal(18, 6))
        )
    )
    assert content_of(rows) != content_of(rows, rows[:1])
    assert content_of(rows) != content_of(rows, rows[:1], rows[:1])
    swapped = rows.with_columns(operator_id=pl.col("player_id"), player_id=pl.col("operator_id"))
    assert content_of(rows) != content_of(swapped)
    assert content_of(settlements(1, rule="")) != content_of(settlements(1))


def test_control_sums_are_per_currency_and_exact() -> None:
    control = Control(TABLE)
    big = Decimal("999999999999.999999")
    control.add(settlements(3, stake=big, currency=["USD", "EUR", "USD"]))
    control.add(settlements(1, stake=big, currency="USD"))
    assert control.sums()["USD"]["stake"] == "2999999999999.999997"
    assert control.sums()["EUR"]["stake"] == "999999999999.999999"


def test_a_partition_sums_itself_up_and_its_facts_survive_json(tmp_path: Path) -> None:
    with PartitionWriter(tmp_path, "r1", "studio-7", DAY) as writer:
        writer.append("settlements", settlements(2, paid=[Decimal(20), Decimal(25)], delta=[Decimal(0), Decimal(5)]))
        writer.append("settlements", settlements(1, play_mode="test", paid=Decimal(99)))
        writer.append("settlements", settlements(1, settlement="pending", expected=[None], expected_bonus=[None], delta=[None]))
        writer.append("settlements", settlements(1, funding="free"))
        writer.append("findings", findings(1, "r1"))
    facts = writer.result
    assert decode(encode(facts)) == facts
    assert facts.tables["settlements"].rows == 5
    assert facts.is_conserved
    assert [(row.operator_id, row.paid, row.due, row.explained) for row in facts.conservation] == [
        ("op-1", "65.000000", "60.000000", "5.000000")
    ]
    totals = pl.read_parquet(tmp_path / (facts.tables["daily_totals"].file or ""), hive_partitioning=False)
    seen = totals.select("funding", "settlement", "wagers", "handle", "returned", "hold", "due").rows()
    assert seen == [
        ("cash", "pending", 1, Decimal(10), Decimal(20), Decimal(-10), None),
        ("cash", "settled", 2, Decimal(20), Decimal(45), Decimal(-25), Decimal(40)),
        ("free", "settled", 1, Decimal(10), Decimal(20), Decimal(-20), Decimal(20)),
    ]


def test_money_that_no_finding_names_is_not_conserved(tmp_path: Path) -> None:
    with PartitionWriter(tmp_path, "r1", "studio-7", DAY) as writer:
        writer.append("settlements", settlements(1, paid=Decimal("20.000001"), delta=Decimal("0.000001")))
    assert not writer.result.is_conserved
    assert writer.result.conservation[0].difference == "0.000001"


def test_a_partition_without_rows_makes_no_file_and_says_so(tmp_path: Path) -> None:
    with PartitionWriter(tmp_path, "r1", "studio-7", DAY) as writer:
        writer.append("settlements", settlements(0))
    assert (writer.result.tables["settlements"].rows, writer.result.tables["settlements"].file) == (0, None)
    assert not list(tmp_path.rglob("*.parquet"))


@pytest.mark.parametrize(
    "studio", ["..", "../../etc", "a/b", "a\\b", "line\nbreak", 'it\'s "x"', "<script>", "x" * 500, "", "%2e", "studio=1", "ü" * 200, "*?["]
)
def test_no_studio_id_leaves_its_folder(studio: str) -> None:
    file = partition_file("rounds", studio, date(2026, 1, 2), "r1")
    assert re.fullmatch(r"tables/rounds/studio_id=[\w.~%-]*/gaming_day=2026-01-02/r1\.parquet", file, re.ASCII)
    assert len(folder_name(studio)) <= 200


def test_studio_folders_are_as_different_as_their_ids() -> None:
    ids = ["a/b", "a%2Fb", "a%252Fb", "x" * 500, "x" * 501, "%sha256-" + "0" * 64]
    assert len({folder_name(studio) for studio in ids}) == len(ids)


def test_the_catalogue_is_written_so_that_duckdb_1_5_reads_it(tmp_path: Path) -> None:
    publish(tmp_path / "lake")
    head = (tmp_path / "lake" / "audit.duckdb").read_bytes()[:20]
    assert head[8:12] == b"DUCK"
    # DuckDB 1.5 reads versions 64 to 68; its own files are 68 and one of DuckDB 2.0 is beyond.
    assert 64 <= int.from_bytes(head[12:20], "little") <= 68


def test_what_analysts_run_uses_no_function_that_duckdb_1_5_lacks() -> None:
    sql = Path(str(files("sql")))
    texts = {"macros.sql": (sql / "macros.sql").read_text()} | {view.name: view.sql for view in analyst_views()}
    texts |= {file.name: file.read_text() for file in (sql / "queries").glob("*.sql")}
    assert [name for name, text in texts.items() if re.search(r"\bif\(", text)] == []
