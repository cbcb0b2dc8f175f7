"""Archives that grow, lines without end, a million keys, links and ids that lead elsewhere: bounded, and said in words."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from pipeline.audit import Request, audit
from pipeline.core.errors import InputError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.lake import open_lake, verify
from tests.support.command_line import resettle
from tests.support.crash import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "../../x'; DROP TABLE rounds; --\"\n<script>alert(1)</script>\u202e=1+1%00/\\"

MEASURED = """
import resource, sys
from pathlib import Path
from pipeline.feeds.delivery import read_delivery
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
delivery = read_delivery([Path(sys.argv[1])], {}, Path(sys.argv[2]))
(row,) = delivery.quarantine().collect().to_dicts()
assert len(row["raw"]) == 64 << 10
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)
"""


def read(path: Path, work: Path, limits: ReadLimits | None = None) -> Delivery:
    return read_delivery([path], {}, work, limits=limits)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_an_archive_that_grows_without_measure_is_refused(codec: str, tmp_path: Path) -> None:
    bomb = tmp_path / f"a.ndjson.{'gz' if codec == 'gzip' else 'zst'}"
    bomb.write_bytes(pa.compress(b" " * (32 << 20), codec, asbytes=True) if codec == "zstd" else gzip.compress(b" " * (32 << 20)))
    limits = ReadLimits(block_bytes=1 << 16, inflation_bytes=8 << 20)
    with pytest.raises(InputError, match=r"a.ndjson.*: grows to more than 200 times its size, like a bomb.*--limit inflation=NUMBER"):
        read(bomb, tmp_path / "work", limits)
    assert read(bomb, tmp_path / "more", ReadLimits(inflation_bytes=64 << 20)).source_files["blank"].to_list() == [1]


@pytest.mark.parametrize("mebibytes", [200, pytest.param(1 << 10, marks=pytest.mark.exhaustive)])
def test_a_line_of_a_gibibyte_is_never_held_whole(mebibytes: int, tmp_path: Path) -> None:
    log = tmp_path / "a.ndjson"
    log.touch()
    os.truncate(log, mebibytes << 20)
    told = subprocess.run(  # noqa: S603
        [sys.executable, "-c", MEASURED, log, tmp_path / "work"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert int(told.stdout) < 180


@pytest.mark.parametrize(
    "line",
    [
        b"{" + b",".join(b'"k%d":%d' % (number, number) for number in range(300_000)) + b"}",
        b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
        b"[" * 1_000_000,
        b'{"stake":' + b"9" * 1_000_000 + b"}",
    ],
    ids=["many keys", "deep objects", "deep lists", "long number"],
)
def test_a_monstrous_line_costs_itself_only(line: bytes, first_rounds: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.ndjson"
    good = first_rounds.read_bytes().splitlines(keepends=True)[0]
    log.write_bytes(line + b"\n" + good)
    delivery = read(log, tmp_path / "work")
    (row,) = delivery.quarantine().collect().to_dicts()
    assert (row["source_line"], row["raw"]) == (1, line)
    assert delivery.source_files["accepted"].to_list() == [1]


def test_a_folder_with_links_and_dots_gives_its_own_files_each_once(first_rounds: Path, tmp_path: Path) -> None:
    folder, outside = tmp_path / "in", tmp_path / "outside"
    (folder / "sub").mkdir(parents=True)
    outside.mkdir()
    (folder / "a.ndjson").write_bytes(first_rounds.read_bytes())
    (outside / "secret.ndjson").write_bytes(first_rounds.read_bytes())
    (folder / "out.ndjson").symlink_to(outside / "secret.ndjson")
    (folder / "again.ndjson").symlink_to(folder / "a.ndjson")
    (folder / "gone.ndjson").symlink_to(tmp_path / "nowhere")
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "elsewhere").symlink_to(outside)
    os.mkfifo(folder / "pipe.ndjson")
    delivery = read(folder / "sub" / "..", tmp_path / "work")
    assert delivery.source_files["source_file"].to_list() == ["a.ndjson"]


def test_ids_made_to_break_out_stay_in_the_lake_and_are_told_as_they_are(sample: Path, first_rounds: Path, tmp_path: Path) -> None:
    rounds: list[dict[str, Any]] = [json.loads(line) for line in first_rounds.read_bytes().splitlines()[:6]]
    for number, one in enumerate(rounds):
        one |= {"round_id": f"{HOSTILE}{number}", "studio_id": HOSTILE, "table_id": HOSTILE, "dealer_id": HOSTILE}
        for person in one["participants"]:
            person |= {"player_id": HOSTILE, "operator_id": HOSTILE}
            for wager in person["wagers"]:
                wager["kind"] = HOSTILE
    inside = tmp_path / "inside"
    inside.mkdir()
    log = inside / "a'; b.ndjson"
    log.write_text("".join(json.dumps(one) + "\n" for one in rounds))
    before = set(tmp_path.rglob("*"))
    audit(Request((log,), sample / "filings", inside / "lake", inside / "report"))
    made = set(tmp_path.rglob("*")) - before
    assert all(path.is_relative_to(inside / "lake") or path.is_relative_to(inside / "report") for path in made)
    with open_lake(inside / "lake") as con:
        assert con.sql("SELECT DISTINCT studio_id, player_id FROM settlements").fetchall() == [(HOSTILE, HOSTILE)]
    assert "<script>alert(1)" not in (inside / "report" / "report.html").read_text()
    verify(inside / "lake")


def test_limits_are_settings_and_change_what_is_quarantined(sample: Path, first_rounds: Path, tmp_path: Path) -> None:
    words = ["audit", str(first_rounds), "--filings", str(sample / "filings"), "--lake", str(tmp_path / "lake")]
    for wrong in ("line_bytes", "line_bytes=0", "lines=4", "line_bytes=4TiB"):
        assert "write NAME=NUMBER" in resettle(*words, "--limit", wrong).stderr
    told = resettle(*words, "--limit", "line_bytes=3KiB", "--limit", "block_bytes=1MiB")
    assert told.exit_code in {0, 1}, told.output
    with open_lake(tmp_path / "lake") as con:
        assert con.sql("SELECT count(*) > 0 FROM quarantine WHERE reason LIKE '%longer than 3072%'").fetchall() == [(True,)]
    assert resettle(*words).exit_code in {0, 1}
    with open_lake(tmp_path / "lake") as con:
        assert con.sql("SELECT count(*) FROM quarantine").fetchall() == [(0,)]
