"""Evidence of feeds whose records are no lines of a log, of compressed logs, and of two files of one name."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from pipeline.audit import Request, audit
from pipeline.case.bundle import write_case
from pipeline.case.gathered import gather
from pipeline.case.scope import Scope
from pipeline.case.verify import verify_case
from pipeline.core.errors import CaseError
from pipeline.explain.explained import explain
from tests.support.other_feeds import Row, as_document, as_games, as_tables, profile_for, write_csv, write_parquet

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.explain.story import Source

ROUND = "TCP-01-0000003"


@pytest.fixture(scope="module")
def rounds(sample: Path) -> list[Row]:
    return [json.loads(line) for line in (sample / "rounds.ndjson").read_bytes().splitlines()[:12]]


def source_of(lake: Path, *folders: Path) -> Source:
    story = explain(lake, ROUND, folders=folders).round
    assert story is not None
    return story.source


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_flat_tables_are_evidence_whole(form: str, sample: Path, rounds: list[Row], tmp_path: Path) -> None:
    write = write_csv if form == "csv" else write_parquet
    folder, lake, out = write(tmp_path / form, as_tables(rounds)), tmp_path / "lake", tmp_path / "case"
    audit(Request((folder,), sample / "filings", lake))
    source = source_of(lake, folder)
    assert (source.raw, "is a table" in str(source.missing)) == (None, True)
    write_case(gather(lake, Scope(rounds=(ROUND,)), folders=[folder]), out)
    assert verify_case(out).missing == ()
    kept = {path.name.partition("-")[2]: path.read_bytes() for path in (out / "evidence" / "files").iterdir()}
    assert kept == {path.name: path.read_bytes() for path in folder.iterdir()}
    one = next((out / "evidence" / "files").iterdir())
    one.write_bytes(one.read_bytes() + b"\n")
    with pytest.raises(CaseError, match="was changed"):
        verify_case(out)


def test_a_game_of_a_history_is_its_own_record(sample: Path, rounds: list[Row], tmp_path: Path) -> None:
    document, profile = tmp_path / "history.json", tmp_path / "profile.toml"
    document.write_text(json.dumps(as_document(as_games(rounds)), indent=1))
    profile.write_text(profile_for("studio-3"))
    audit(Request((document,), sample / "filings", tmp_path / "lake", profile=profile))
    source = source_of(tmp_path / "lake", tmp_path)
    assert source.missing is None
    assert source.raw is not None
    assert ROUND in source.raw
    assert json.loads(source.raw)
    assert document.read_bytes()[source.byte_offset :].startswith(source.raw.encode())


def test_a_line_of_an_archive_is_found_by_its_place_when_unpacked(sample: Path, rounds: list[Row], tmp_path: Path) -> None:
    lines = [json.dumps(one).encode() for one in rounds]
    log = tmp_path / "rounds.ndjson.gz"
    log.write_bytes(gzip.compress(b"\xef\xbb\xbf" + b"\r\n".join(lines)))
    audit(Request((log,), sample / "filings", tmp_path / "lake"))
    source = source_of(tmp_path / "lake", tmp_path)
    whole = gzip.decompress(log.read_bytes())
    assert source.raw is not None
    assert whole[source.byte_offset :].startswith(source.raw.encode())
    assert json.loads(source.raw)["round_id"] == ROUND


@pytest.mark.exhaustive
def test_of_two_files_of_one_name_the_one_with_the_round_counts(sample: Path, rounds: list[Row], tmp_path: Path) -> None:
    lake, days = tmp_path / "lake", (tmp_path / "first", tmp_path / "second")
    half = len(rounds) // 2
    for day, told in zip(days, (rounds[:half], rounds[half:]), strict=True):
        day.mkdir()
        (day / "rounds.ndjson").write_text("".join(json.dumps(one) + "\n" for one in told))
        audit(Request((day / "rounds.ndjson",), sample / "filings", lake))
    for one in (rounds[0], rounds[half], rounds[-1]):
        story = explain(lake, one["round_id"], folders=days).round
        assert story is not None
        assert json.loads(str(story.source.raw)) == one
    missing = explain(lake, rounds[0]["round_id"], folders=days[1:]).round
    assert missing is not None
    assert "delivered more than once" in str(missing.source.missing)
