from __future__ import annotations

import gzip
import json
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from pipeline.core.errors import InputError
from pipeline.core.schema import QUARANTINE, SOURCE_FILES
from pipeline.core.times import GamingDay
from pipeline.feeds.blocks import ReadLimits

if TYPE_CHECKING:
    from collections.abc import Callable

SLOW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def test_the_books_of_every_file_balance(a_line: Callable[..., bytes], read: Any) -> None:
    files = {
        "a.ndjson": a_line(round_id="R1") + b"\n\n" + a_line(round_id="R2")[:-9] + b"\n" + a_line(round_id="R1") + b"\n",
        "b.ndjson.gz": gzip.compress(a_line(round_id="R3") + b"\n" + a_line(round_id="R4", opened_at="2026-11-05T15:00:00Z")),
        "c.ndjson": b"",
    }
    delivery = read(files, only_day=date(2026, 11, 3), gaming_days={"s1": GamingDay("Europe/Riga", 360)})
    assert delivery.source_files.schema == SOURCE_FILES.schema
    names = ["lines", "blank", "records", "accepted", "repeats", "quarantined", "other_day"]
    assert delivery.source_files.select(names).rows() == [(4, 1, 3, 1, 1, 1, 0), (2, 0, 2, 1, 0, 0, 1), (0, 0, 0, 0, 0, 0, 0)]
    assert delivery.stage.partitions() == [("s1", date(2026, 11, 3))]
    assert delivery.quarantine().collect_schema() == QUARANTINE.schema
    assert read({"a.ndjson": b""}).quarantine().collect().schema == QUARANTINE.schema


def test_progress_is_told_in_bytes_of_the_file(a_line: Callable[..., bytes], read: Any) -> None:
    told: list[tuple[str, int, int]] = []
    content = gzip.compress(b"\n".join(a_line(round_id=f"R{n}") for n in range(50)))
    read({"a.ndjson.gz": content}, progress=lambda *one: told.append(one))
    assert told[-1] == ("a.ndjson.gz", len(content), len(content))
    assert [read for _, read, _ in told] == sorted(read for _, read, _ in told)


def test_a_truncated_archive_ends_the_delivery(a_line: Callable[..., bytes], read: Any) -> None:
    good = b"\n".join(a_line(round_id=f"R{n}") for n in range(50))
    with pytest.raises(InputError, match=r"b\.ndjson\.gz: truncated archive"):
        read({"a.ndjson": good, "b.ndjson.gz": gzip.compress(good)[:-5]})


def test_a_line_longer_than_the_limit_is_refused_with_its_first_bytes(a_line: Callable[..., bytes], read: Any) -> None:
    long = a_line(round_id="R2", video_ref="v" * 5_000)
    for size in (512, 1 << 20):
        delivery = read([a_line(), long, a_line(round_id="R3")], limits=ReadLimits(block_bytes=size, line_bytes=4_000, raw_head_bytes=100))
        (row,) = delivery.quarantine().collect().to_dicts()
        assert (row["source_line"], row["raw"]) == (2, long[:100])
        assert row["reason"] == f"line of {len(long)} bytes, longer than 4000; its first 100 bytes are kept"
        assert delivery.source_files["accepted"].to_list() == [2]


def _day(a_round: Any) -> list[bytes]:
    made = []
    for number in range(24):
        one = a_round(round_id=f"R{number % 20}", opened_at=f"2026-11-03T{number % 7 + 9:02d}:00:00Z", studio_id=f"s{number % 2}")
        if number % 6 == 1:
            one["dealer_id"] = f"D{number}"
        if number % 5 == 0:
            one["revision"] = number
        made.append(json.dumps(one).encode())
    return [*made, made[3], b"{bad", b"", made[7].replace(b'"10.00"', b"10")]


@pytest.mark.exhaustive
@SLOW
@given(data=st.data())
def test_cuts_and_order_of_the_input_change_nothing_but_the_source(data: st.DataObject, a_round: Any, read: Any, tables: Any) -> None:
    lines = _day(a_round)
    expected = tables(read(lines, limits=ReadLimits()))
    mixed = data.draw(st.permutations(lines))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=4)))
    edges = [0, *cuts, len(lines)]
    files = {f"f{n}.ndjson": b"\n".join(mixed[a:b]) for n, (a, b) in enumerate(pairwise(edges))}
    limits = ReadLimits(block_bytes=data.draw(st.sampled_from([3, 700, 5_000, 1 << 20])), workers=data.draw(st.integers(1, 3)))
    delivery = read(files, limits=limits)
    for name, frame in tables(delivery, data.draw(st.sampled_from([1, 5, 1_000]))).items():
        assert_frame_equal(frame.drop("source_file", "source_line"), expected[name].drop("source_file", "source_line"))
    total = delivery.source_files.select(pl.col("lines", "blank", "records", "accepted", "repeats", "quarantined").sum()).row(0)
    assert total[2] == sum(total[3:])
    assert total[5] == 1


@SLOW
@given(data=st.data())
def test_any_bytes_are_read_or_refused_and_the_books_balance(data: st.DataObject, a_round: Any, read: Any, books: Any, tables: Any) -> None:
    content = bytearray(b"\n".join(_day(a_round)[:8]))
    for _ in range(data.draw(st.integers(0, 12))):
        at = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["set", "cut", "double", "insert"]))
        if how == "set":
            content[at] = data.draw(st.integers(0, 255))
        elif how == "cut":
            del content[at : at + data.draw(st.integers(1, 40))]
        elif how == "double":
            content[at:at] = content[at : at + data.draw(st.integers(1, 400))]
        else:
            content[at:at] = data.draw(st.sampled_from([b"\n", b'"', b"null", b"{", b"}", b",", b"\\", b":", b"\xff", b"1e9", b"-"]))
    size = data.draw(st.sampled_from([100, 5_000]))
    delivery = read(bytes(content), limits=ReadLimits(block_bytes=size))
    row = books(delivery)
    got = tables(delivery)
    assert got["rounds"].height == row["accepted"]
    for line, offset, raw in delivery.quarantine().collect().select("source_line", "byte_offset", "raw").iter_rows():
        assert content[offset : offset + len(raw)] == raw
        assert content[:offset].count(b"\n") == line - 1
    lines = bytes(content).split(b"\n")
    for line, round_id in got["rounds"].select("source_line", "round_id").iter_rows():
        assert json.loads(lines[line - 1])["round_id"] == round_id
