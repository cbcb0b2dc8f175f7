"""The quarantine at work: list, show, retry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.audit import Request
from pipeline.core.errors import LakeError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.strict import too_long
from pipeline.lake import verify
from pipeline.quarantine import Retried, listed, record, retry
from tests.support.command_line import resettle
from tests.support.restated import Lake, Log, a_round

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BOOKS = "SELECT source_file, records, accepted, repeats, quarantined, other_day FROM source_files ORDER BY ALL"
LOCAL = "2026-11-03T15:00:00"


def local(round_id: str, **changes: Any) -> dict[str, Any]:
    return a_round(round_id, opened_at=LOCAL, **changes)


@pytest.fixture
def zone(tmp_path: Path) -> Path:
    path = tmp_path / "profile.toml"
    path.write_text('[feed]\nformat = "round-log/1"\ntimezone = "America/New_York"\n')
    return path


@pytest.fixture
def lake(log: Log, lake_of: Callable[..., Lake]) -> Lake:
    """Five records of one file: one good, two without an offset, one cut off, one that repeats the good one save for its offset."""
    made: Lake = lake_of(log.filings)
    made.deliver(a_round("R1", at="2026-11-03T20:00:00Z"), local("R2"), b"", b'{"cut \x1b[2J\xff off', local("R3"), name="a.ndjson")
    return made


def try_again(lake: Lake, profile: Path | None) -> Retried:
    return retry(Request((), lake.filings, lake.root, profile=profile))


def test_the_list_names_file_line_size_and_reason(lake: Lake) -> None:
    rows = listed(lake.root)
    assert rows.select("source_file", "source_line").rows() == [("a.ndjson", 2), ("a.ndjson", 4), ("a.ndjson", 5)]
    assert rows["bytes"].to_list() == [len(raw) for raw in rows["raw"]]
    assert listed(lake.root, reason="offset")["source_line"].to_list() == [2, 5]
    assert listed(lake.root, file="b.ndjson").is_empty()
    ran = resettle("quarantine", "list", "--lake", str(lake.root), "--reason", "offset")
    assert ran.output.splitlines()[-1] == "Records in quarantine: 2."
    assert f"{rows['id'][0]}  a.ndjson:2  " in ran.output


def test_a_record_is_shown_without_moving_the_cursor(lake: Lake) -> None:
    (row,) = record(lake.root, "a.ndjson:4").to_dicts()
    assert row["raw"] == b'{"cut \x1b[2J\xff off'
    assert record(lake.root, row["id"]).to_dicts() == [row]
    ran = resettle("quarantine", "show", row["id"], "--lake", str(lake.root))
    assert ran.output.splitlines()[-1] == r'{"cut \x1b[2J\xff off'
    with pytest.raises(LakeError, match=r"no record a\.ndjson:1 lies in quarantine"):
        record(lake.root, "a.ndjson:1")


def test_a_retry_publishes_what_can_be_read_now_and_the_books_balance(lake: Lake, zone: Path) -> None:
    assert lake.ask(BOOKS) == [("a.ndjson", 4, 1, 0, 3, 0)]
    assert try_again(lake, zone) == Retried(tried=3, taken=2, left=1, not_tried=0)
    assert lake.ask(BOOKS) == [("a.ndjson", 4, 3, 0, 1, 0)]
    assert listed(lake.root)["source_line"].to_list() == [4]
    assert lake.ask("SELECT round_id, source_file, source_line, opened_at::VARCHAR FROM rounds ORDER BY 1") == [
        ("R1", "a.ndjson", 1, "2026-11-03 20:00:00+00"),
        ("R2", "a.ndjson", 2, "2026-11-03 20:00:00+00"),
        ("R3", "a.ndjson", 5, "2026-11-03 20:00:00+00"),
    ]
    assert verify(lake.root).publishes == 2


@pytest.mark.exhaustive
def test_a_retry_again_changes_nothing(lake: Lake, zone: Path) -> None:
    try_again(lake, zone)
    before = verify(lake.root)
    assert try_again(lake, zone) == Retried(tried=1, taken=0, left=1, not_tried=0)
    assert try_again(lake, None) == Retried(tried=1, taken=0, left=1, not_tried=0)
    assert verify(lake.root) == before


def test_a_retry_that_reads_nothing_publishes_nothing(lake: Lake) -> None:
    before = verify(lake.root)
    assert try_again(lake, None) == Retried(tried=3, taken=0, left=3, not_tried=0)
    assert verify(lake.root) == before


@pytest.mark.exhaustive
def test_a_retry_ends_where_the_delivery_would_have_ended(lake: Lake, zone: Path, log: Log, lake_of: Callable[..., Lake]) -> None:
    try_again(lake, zone)
    other = lake_of(log.filings, "other")
    other.deliver_files([lake.files / "a.ndjson"], profile=zone)
    assert lake.content() == other.content()
    assert lake.ask(BOOKS) == other.ask(BOOKS)
    again = lake.deliver_files([lake.files / "a.ndjson"], profile=zone)
    assert again.repeated
    assert lake.content() == other.content()
    verify(lake.root)


def test_what_repeats_a_round_is_a_repeat_in_its_own_file(lake: Lake, zone: Path) -> None:
    lake.deliver(local("R2"), a_round("R9"), name="b.ndjson")
    assert try_again(lake, zone) == Retried(tried=4, taken=3, left=1, not_tried=0)
    assert lake.ask(BOOKS) == [("a.ndjson", 4, 3, 0, 1, 0), ("b.ndjson", 2, 1, 1, 0, 0)]
    verify(lake.root)


@pytest.mark.exhaustive
def test_other_nights_and_other_files_stay_as_they_are(lake: Lake, zone: Path) -> None:
    lake.deliver(a_round("R8", at="2026-10-01T10:00:00Z"), b"nonsense", name="b.ndjson")
    night = "SELECT DISTINCT run_id FROM coverage WHERE gaming_day = '2026-10-01'"
    before = lake.ask(night)
    try_again(lake, zone)
    assert lake.ask(night) == before
    assert lake.ask("SELECT count(*) FROM rounds") == [(4,)]
    assert lake.ask(BOOKS) == [("a.ndjson", 4, 3, 0, 1, 0), ("b.ndjson", 2, 1, 0, 1, 0)]
    assert listed(lake.root).select("source_file", "source_line").rows() == [("a.ndjson", 4), ("b.ndjson", 2)]
    verify(lake.root)


@pytest.mark.exhaustive
def test_two_files_of_one_name_are_told_apart(lake: Lake, zone: Path) -> None:
    lake.deliver(local("R4"), name="a.ndjson")
    assert try_again(lake, zone) == Retried(tried=4, taken=3, left=1, not_tried=0)
    assert lake.ask(BOOKS) == [("a.ndjson", 1, 1, 0, 0, 0), ("a.ndjson", 4, 3, 0, 1, 0)]
    assert listed(lake.root)["source_line"].to_list() == [4]
    verify(lake.root)


def test_a_line_that_was_cut_is_not_tried_and_said_so(log: Log, lake_of: Callable[..., Lake]) -> None:
    lake = lake_of(log.filings)
    limits = ReadLimits(line_bytes=900, raw_head_bytes=300)
    lake.deliver(a_round("R1"), a_round("R2", video_ref="x" * 900), name="a.ndjson", limits=limits)
    long = len(json.dumps(a_round("R2", video_ref="x" * 900)))
    assert too_long(long, limits) in listed(lake.root)["reason"].to_list()
    assert listed(lake.root)["bytes"].max() == 300 or listed(lake.root).height == 2
    done = try_again(lake, None)
    assert done.not_tried == done.left
    ran = resettle("quarantine", "retry", "--lake", str(lake.root), "--filings", str(log.filings))
    assert ran.exit_code == 0
    assert "they can only be delivered again" in ran.output


def test_there_must_be_a_lake(log: Log, tmp_path: Path) -> None:
    for ask in (lambda: listed(tmp_path / "none"), lambda: retry(Request((), log.filings, tmp_path / "none"))):
        with pytest.raises(LakeError, match="there is no lake here"):
            ask()
