"""What was known at a time."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import duckdb
import pytest

from pipeline.ask.query import connect
from pipeline.core.errors import LakeError
from pipeline.lake import verify
from tests.support.command_line import resettle
from tests.support.restated import Lake, Log, a_round

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAID = "SELECT round_id, sum(paid) FROM settlements GROUP BY ALL ORDER BY ALL"
NIGHTS = "SELECT gaming_day::VARCHAR, count(*) FROM rounds GROUP BY ALL ORDER BY ALL"


def finished(lake: Lake) -> list[datetime]:
    return [at for (at,) in lake.ask("SELECT finished_at FROM runs ORDER BY number")]


def known(lake: Lake, sql: str, when: datetime) -> list[tuple[object, ...]]:
    with connect(lake.root, when) as con:
        return con.sql(sql).fetchall()


@pytest.mark.exhaustive
def test_a_time_shows_what_the_last_publish_before_it_left(log: Log, lake_of: Callable[..., Lake], tmp_path: Path) -> None:
    lake = lake_of(log.filings)
    lake.deliver(a_round("R1", "2026-11-03T23:00:00Z", revision=1), b'{"cut off')
    lake.deliver(a_round("R1", "2026-11-04T01:00:00Z", revision=2, paid="20.00"))
    lake.deliver(a_round("R2", "2026-11-03T12:00:00Z"))
    first, second, third = finished(lake)
    moment = timedelta(microseconds=1)
    assert known(lake, PAID, first) == [("R1", 0)]
    assert known(lake, PAID, second - moment) == [("R1", 0)]
    assert known(lake, PAID, second) == known(lake, PAID, third - moment) == [("R1", 20)]
    assert known(lake, PAID, third) == known(lake, PAID, datetime.max.replace(tzinfo=UTC)) == lake.ask(PAID) == [("R1", 20), ("R2", 0)]
    assert [len(known(lake, NIGHTS, at)) for at in (first, second)] == [1, 2]
    assert [known(lake, "SELECT count(*) FROM runs", at) for at in (first, second, third)] == [[(1,)], [(2,)], [(3,)]]
    assert known(lake, "SELECT count(*) FROM quarantine", first) == [(1,)]
    assert known(lake, "FROM lake", third) == lake.ask("FROM lake")
    assert known(lake, "FROM lake", first) != known(lake, "FROM lake", second)
    shutil.move(lake.root, tmp_path / "moved")
    with connect(tmp_path / "moved", first) as con:
        assert con.sql(PAID).fetchall() == [("R1", 0)]
        with pytest.raises(duckdb.Error):
            con.sql("SELECT * FROM read_text('/etc/hostname')").fetchall()


def test_a_time_before_the_first_publish_is_an_error_in_words(log: Log, lake_of: Callable[..., Lake], tmp_path: Path) -> None:
    lake = lake_of(log.filings)
    lake.deliver(a_round())
    with pytest.raises(LakeError, match=r"nothing was published here at 2026-01-01T00:00:00\+00:00 \(the first publish was finished at "):
        connect(lake.root, datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(LakeError, match="there is no lake here"):
        connect(tmp_path / "none", datetime(2026, 1, 1, tzinfo=UTC))
    verify(lake.root)


def test_the_command_line_asks_for_an_offset(log: Log, lake_of: Callable[..., Lake]) -> None:
    lake = lake_of(log.filings)
    lake.deliver(a_round())
    options = ["query", "SELECT count(*) AS n FROM rounds", "--lake", str(lake.root), "--format", "csv", "--as-of"]
    assert resettle(*options, "2100-01-01T00:00:00Z").output == "n\n1\n"
    for wrong, said in (("2026-11-05T06:00:00", "has no offset"), ("yesterday", "is no time like")):
        ran = resettle(*options, wrong)
        assert ran.exit_code == 2
        assert said in ran.output
    early = resettle(*options, "2020-01-01T00:00:00Z")
    assert early.exit_code == 2
    assert "nothing was published here" in early.output
