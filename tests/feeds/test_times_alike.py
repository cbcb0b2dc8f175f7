"""Times written alike take a shorter way, and it comes to the same."""

from __future__ import annotations

from datetime import UTC, datetime

import polars as pl
import pytest

from pipeline.feeds.typed import times

_MARCHING = "2026-10-31T06:00:40.188123456-07:00"
"""Beside it no column is written alike."""


@pytest.mark.parametrize("offset", ["Z", "+00:00", "-00:00", "-04:00", "+05:30", "-23:59", "+24:00", "+05:60", "z", "", "x"])
@pytest.mark.parametrize(
    "clock", ["2026-10-31T06:00:40.188", "2026-02-30T06:00:40.188", "2026-10-31T24:00:40.188", "8999-12-31T23:59:59.999"]
)
def test_a_column_with_one_offset_reads_as_its_times_do_in_any_other(offset: str, clock: str) -> None:
    told = [None, f"{clock}{offset}", "2026-11-01T00:00:00.000" + offset]
    alike, digits, bad = times(pl.Series("placed_at", told, dtype=pl.String))
    mixed, mixed_digits, mixed_bad = times(pl.Series("placed_at", [*told, _MARCHING]))
    assert alike.to_list() == mixed[:3].to_list()
    assert (bad.to_list() if bad is not None else [False] * 3) == (mixed_bad[:3].to_list() if mixed_bad is not None else [False] * 3)
    assert digits.filter(alike.is_not_null()).to_list() == mixed_digits[:3].filter(alike.is_not_null()).to_list()


def test_an_offset_to_the_west_is_added() -> None:
    time, digits, bad = times(pl.Series("placed_at", ["2026-10-31T20:30:00.250-04:00"]))
    assert time.to_list() == [datetime(2026, 11, 1, 0, 30, 0, 250_000, tzinfo=UTC)]
    assert (digits.to_list(), bad) == ([3], None)


def test_two_offsets_in_a_column_each_hold() -> None:
    time, _, bad = times(pl.Series("placed_at", ["2026-10-31T20:30:00.250-04:00", "2026-10-31T20:30:00.250-05:00"]))
    assert (time[1] - time[0]).total_seconds() == 3600
    assert bad is None
