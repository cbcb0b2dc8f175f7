"""Control totals are read to the last digit, and what cannot be read names its line."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import InputError
from pipeline.feeds.control_totals import CONTROL_TOTALS, read_control_totals

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "studio_id,table_id,gaming_day,rounds,first_round_id,last_round_id,handle,returned,currency\n"
LINE = "studio-7,TCP-01,2026-11-03,600,r1,r600,123456789012.123456,0.1,USD\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "totals.csv"
    path.write_bytes(text.encode())
    return path


def test_amounts_are_exact(tmp_path: Path) -> None:
    frame = read_control_totals(written(tmp_path, HEADER + LINE))
    assert frame.schema == CONTROL_TOTALS.schema
    assert frame.row(0) == (
        "studio-7", "TCP-01", date(2026, 11, 3), 600, "r1", "r600", Decimal("123456789012.123456"), Decimal("0.1"), "USD", "totals.csv", 2,
    )  # fmt: skip


def test_a_table_that_did_not_deal_needs_no_round_ids(tmp_path: Path) -> None:
    frame = read_control_totals(written(tmp_path, HEADER + "studio-7,TCP-01,2026-11-03,0,,,0,0,USD\n"))
    assert frame["first_round_id"].to_list() == [None]


def test_columns_in_another_order_blank_lines_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    names = HEADER.strip().split(",")
    cells = LINE.strip().split(",")
    text = "\ufeff" + ",".join([*names[::-1], "note"]) + "\r\n\r\n" + ",".join([*cells[::-1], "x"]) + "\r\n"
    frame = read_control_totals(written(tmp_path, text))
    assert frame["handle"].to_list() == [Decimal("123456789012.123456")]
    assert frame["source_line"].to_list() == [3]


def test_two_currencies_of_a_table_stand_on_two_lines(tmp_path: Path) -> None:
    assert read_control_totals(written(tmp_path, HEADER + LINE + LINE.replace("USD", "EUR"))).height == 2


def test_a_header_alone_is_no_row(tmp_path: Path) -> None:
    frame = read_control_totals(written(tmp_path, HEADER))
    assert frame.height == 0
    assert frame.schema == CONTROL_TOTALS.schema


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LINE.replace("600,", "six,"), r"totals.csv:2: rounds 'six' cannot be read"),
        (LINE.replace("600,", "-1,"), r"totals.csv:2: rounds '-1'"),
        (LINE.replace("0.1,", "1e3,"), r"totals.csv:2: returned '1e3'"),
        (LINE.replace("0.1,", "-5.00,"), r"totals.csv:2: returned '-5.00'"),
        (LINE.replace("0.1,", "0.1234567,"), r"totals.csv:2: returned '0.1234567'"),
        (LINE.replace("0.1,", '"1,000.00",'), r"totals.csv:2: returned '1,000.00'"),
        (LINE.replace("0.1,", ","), r"totals.csv:2: returned is empty"),
        (LINE.replace("2026-11-03", "03.11.2026"), r"totals.csv:2: gaming_day '03.11.2026'"),
        (LINE.replace("2026-11-03", "2026-02-30"), r"totals.csv:2: gaming_day '2026-02-30' is no day"),
        (LINE.replace("USD", "usd"), r"totals.csv:2: currency 'usd'"),
        (LINE.replace("r600", ""), r"totals.csv:2: last_round_id is empty"),
        (LINE.replace(",USD", ""), r"totals.csv:2: 8 fields where the header names 9"),
        (LINE + "\n" + LINE, r"totals.csv:4: studio-7 TCP-01 2026-11-03 USD already stands on line 2"),
        ('"' + LINE, r"totals.csv:\d: control totals are no CSV"),
    ],
)
def test_what_cannot_be_read_names_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_control_totals(written(tmp_path, HEADER + line))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"totals.csv:1: control totals lack the column handle, currency"):
        read_control_totals(written(tmp_path, HEADER.replace(",handle", "").replace(",currency", "")))


def test_a_column_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"name the column handle twice"):
        read_control_totals(written(tmp_path, HEADER.strip() + ",handle\n"))


def test_no_such_file_and_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        read_control_totals(tmp_path / "none.csv")
    path = tmp_path / "latin.csv"
    path.write_bytes(HEADER.encode() + b"\xff\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_control_totals(path)
