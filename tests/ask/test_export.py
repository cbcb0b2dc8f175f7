"""What leaves the lake for other tools: whole, exact, typed, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import polars as pl
import pytest

from pipeline.ask.export import export
from pipeline.ask.query import render
from pipeline.ask.spreadsheet import MOST_ROWS, harmless, write_workbook
from pipeline.core.errors import ResettleError
from pipeline.lake.scan import connect
from tests.support.command_line import resettle
from tests.support.lake import publish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "\uff1d1", '=HYPERLINK("http://x","y")']
HONEST = ["px1", "a=b", "1-2", "'quoted", "", " text", "é"]
ROWS = """
    SELECT
        CAST('0.100000' AS DECIMAL(18, 6)) AS small, CAST('12345678901234567890.123456' AS DECIMAL(38, 6)) AS large,
        9007199254740993 AS whole, CAST(7 AS HUGEINT) AS huge, '=1+1' AS formula, 'plain' AS text, true AS yes, DATE '2026-10-31' AS day,
        TIMESTAMPTZ '2026-10-31 10:00:43.858+00' AS moment, ['Qs', 'Kd'] AS cards, 'a\\xFF'::BLOB AS raw, NULL AS nothing
"""


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with connect() as opened:
        yield opened


def sheet(path: Path) -> list[dict[str, tuple[str, str]]]:
    """Each row's cells: column letter to type (``n``, ``b``, ``inlineStr``) and text."""
    with ZipFile(path) as archive:
        root = ET.fromstring(archive.read("xl/worksheets/sheet1.xml"))  # noqa: S314
        names = set(archive.namelist())
    assert not root.findall(f".//{NAMESPACE}f"), "a formula"
    assert "xl/worksheets/_rels/sheet1.xml.rels" not in names, "a link"
    told = []
    for row in root.iter(f"{NAMESPACE}row"):
        cells = {}
        for cell in row.iter(f"{NAMESPACE}c"):
            text = "".join(cell.itertext())
            cells[re.sub(r"\d", "", cell.attrib["r"])] = (cell.attrib.get("t", "n"), text)
        told.append(cells)
    return told


def test_csv_keeps_every_digit_and_makes_formulas_harmless(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    assert export(con.sql(ROWS), path, "rows") == 1
    (told,) = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    assert (told["small"], told["large"], told["whole"], told["huge"]) == (
        "0.100000", "12345678901234567890.123456", "9007199254740993", "7",
    )  # fmt: skip
    assert (told["formula"], told["text"], told["cards"], told["raw"]) == ("'=1+1", "plain", '["Qs","Kd"]', "a\\xFF")


def test_json_holds_amounts_as_exact_texts(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    for name in ("rows.json", "rows.ndjson"):
        export(con.sql(f"{ROWS} UNION ALL BY NAME {ROWS}"), tmp_path / name, "rows")
    told = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert [json.loads(line) for line in (tmp_path / "rows.ndjson").read_text(encoding="utf-8").splitlines()] == told
    assert len(told) == 2
    assert (told[0]["small"], told[0]["large"], told[0]["formula"], told[0]["cards"]) == (
        "0.100000", "12345678901234567890.123456", "=1+1", ["Qs", "Kd"],
    )  # fmt: skip


def test_parquet_keeps_types_and_values(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    export(con.sql(ROWS), path, "rows")
    told = pl.read_parquet(path)
    assert told.schema["large"] == pl.Decimal(38, 6)
    assert told.select("large", "day", "cards", "raw").row(0) == (
        Decimal("12345678901234567890.123456"), date(2026, 10, 31), ["Qs", "Kd"], b"a\xff",
    )  # fmt: skip


def test_excel_has_typed_cells_and_a_number_only_where_it_is_exact(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "rows.xlsx"
    assert export(con.sql(ROWS), path, "rows of [a] lake") == 1
    head, row = sheet(path)
    assert [text for _, text in head.values()][:2] == ["small", "large"]
    assert row["A"] == ("n", "0.100000")
    assert row["B"] == ("inlineStr", "12345678901234567890.123456")
    assert row["C"] == ("inlineStr", "9007199254740993")
    assert row["D"] == ("n", "7")
    assert row["E"] == ("inlineStr", "=1+1")
    assert row["G"] == ("b", "1")
    days = Decimal((date(2026, 10, 31) - date(1899, 12, 30)).days)
    assert row["H"] == ("n", f"{days}")
    moment = (datetime(2026, 10, 31, 10, 0, 43, 858000, tzinfo=UTC) - datetime(1899, 12, 30, tzinfo=UTC)).total_seconds() / 86_400
    assert abs(float(row["I"][1]) - moment) < 1e-8
    assert row["J"] == ("inlineStr", '["Qs","Kd"]')
    assert "L" not in row


@pytest.mark.parametrize(
    "amount", ["0.1", "0.3", "-0.07", "123456789.123456", "999999999.999999", "-348.5", "0.000001", "900719925474.099"]
)
def test_an_amount_of_fifteen_digits_is_a_number_that_reads_back_exactly(amount: str, tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", "a", ["amount"], [pl.DataFrame({"amount": [Decimal(amount)]})])
    kind, text = sheet(tmp_path / "a.xlsx")[1]["A"]
    assert (kind, Decimal(text)) == ("n", Decimal(amount))


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_a_formula(text: str, form: str, tmp_path: Path) -> None:
    if form == "csv":
        assert harmless(pl.DataFrame({"a": [text], text: ["b"]})).to_dict(as_series=False) == {"a": ["'" + text], "'" + text: ["b"]}
        return
    write_workbook(tmp_path / "a.xlsx", text, [text], [pl.DataFrame({text: [text]})])
    head, row = sheet(tmp_path / "a.xlsx")
    assert {head["A"][0], row["A"][0]} == {"inlineStr"}
    with ZipFile(tmp_path / "a.xlsx") as archive:
        assert b'quotePrefix="1"' in archive.read("xl/styles.xml")


def test_honest_text_stays_as_it_is() -> None:
    frame = pl.DataFrame({"a": HONEST, "n": [-1] * len(HONEST)})
    assert harmless(frame).equals(frame)


def test_a_query_as_csv_is_harmless_too(con: duckdb.DuckDBPyConnection) -> None:
    assert render(con.sql("SELECT '=1' AS a, CAST(-1.5 AS DECIMAL(18, 6)) AS b"), "csv") == b"a,b\n'=1,-1.500000\n"


def test_a_worksheet_holds_no_more_than_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_ROWS == 2**20 - 1
    monkeypatch.setattr("pipeline.ask.spreadsheet.MOST_ROWS", 2)
    with connect() as con, pytest.raises(ResettleError, match=r"more than 2 rows \(export as csv or parquet"):
        export(con.sql("FROM range(3)"), tmp_path / "rows.xlsx", "rows")
    assert list(tmp_path.iterdir()) == []


def test_a_cell_that_is_too_long_says_that_it_was_cut(tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", "a", ["a"], [pl.DataFrame({"a": ["x" * 40_000]})])
    text = sheet(tmp_path / "a.xlsx")[1]["A"][1]
    assert len(text) == 32_767
    assert text.endswith("(cut: a cell holds no more; export as csv)")


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.xlsx", "rows.json", "rows.ndjson"])
def test_nothing_is_a_file_too(name: str, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert export(con.sql(f"{ROWS} WHERE false"), tmp_path / name, "rows") == 0
    assert (tmp_path / name).exists()
    if name == "rows.csv":
        assert (tmp_path / name).read_text().startswith("small,large,")
    if name == "rows.json":
        assert json.loads((tmp_path / name).read_text()) == []


def test_the_command_exports_a_table_a_question_or_a_select(lake: Path, tmp_path: Path) -> None:
    publish(lake)
    for number, what in enumerate(
        (("settlements",), ("settlements", "--gaming-day", "2026-11-03"), ("--sql", "FROM rounds"), ("--question", "open_stakes"))
    ):
        out = tmp_path / f"{number}.csv"
        ended = resettle("export", *what, "--lake", lake, "--out", out)
        assert ended.exit_code == 0, ended.stderr
        assert len(out.read_text().splitlines()) == (1 if "open_stakes" in what else 4)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say what: a table, --question or --sql"),
        (("wagers", "--sql", "SELECT 1"), "say what: a table, --question or --sql"),
        (("nonsense",), "the lake has no table nonsense (it has: "),
        (("--sql", "DROP VIEW wagers"), "only one SELECT is run here"),
        (("wagers", "--out", "OUT.doc"), ".doc is no form of export"),
        (("wagers", "--out", "LAKE/x.csv"), "lies in the lake"),
        (("wagers", "--out", "nowhere/x.csv"), "cannot be written"),
    ],
)
def test_an_error_in_use_is_one_line_that_ends_in_2(words: tuple[str, ...], said: str, lake: Path, tmp_path: Path) -> None:
    publish(lake)
    named = [word.replace("LAKE", str(lake)).replace("OUT", str(tmp_path / "x")) for word in words]
    out = () if "--out" in named else ("--out", str(tmp_path / "x.csv"))
    ended = resettle("export", *named, *out, "--lake", lake)
    assert (ended.exit_code, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert said in ended.stderr
    assert not (tmp_path / "x.csv").exists()
