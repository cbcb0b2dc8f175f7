from __future__ import annotations

import json
import random
import shutil
from datetime import date
from typing import TYPE_CHECKING

import duckdb
import pytest

from pipeline.core.errors import LakeError
from pipeline.lake import relocate, verify
from tests.support.lake import DAY, bytes_under, publish

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = "a" * 32, "b" * 32


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake = tmp_path_factory.mktemp("sound") / "lake"
    publish(lake, OLD)
    publish(lake, NEW, rows=5)
    return lake


@pytest.fixture
def two(lake: Path, sound: Path) -> Path:
    shutil.copytree(sound, lake)
    relocate(lake)
    return lake


def settlements_of(lake: Path, run_id: str) -> Path:
    return lake / f"tables/settlements/studio_id=studio-7/gaming_day={DAY}/{run_id}.parquet"


def test_a_sound_lake_fits(two: Path) -> None:
    told = verify(two)
    assert (told.publishes, told.partitions, told.strays) == (2, 1, ())
    assert verify(two, told.run_sha256) == verify(two, told.manifest_sha256) == told


@pytest.mark.parametrize("run_id", [OLD, NEW])
def test_a_flipped_bit_is_named(two: Path, run_id: str) -> None:
    path = settlements_of(two, run_id)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(LakeError, match=f"{run_id}.parquet: was changed after it was published"):
        verify(two)


def test_a_missing_file_is_named(two: Path) -> None:
    settlements_of(two, NEW).unlink()
    with pytest.raises(LakeError, match=rf"settlements.*{NEW}.parquet: is missing"):
        verify(two)


def test_swapped_files_are_named(two: Path) -> None:
    shutil.copy(settlements_of(two, OLD), settlements_of(two, NEW))
    with pytest.raises(LakeError, match="was changed after it was published"):
        verify(two)


@pytest.mark.parametrize(
    ("folder", "fault"),
    [("manifests", "does not fit its manifest|does not follow|withdraws"), ("runs", "does not follow|differs")],
)
def test_an_edited_link_of_a_chain_is_named(two: Path, folder: str, fault: str) -> None:
    path = two / folder / f"000001-{OLD}.json"
    path.write_bytes(path.read_bytes().replace(b"0.1.0", b"0.1.1").replace(b"resettle audit", b"resettle adult"))
    with pytest.raises(LakeError, match=fault):
        verify(two)


def test_a_missing_manifest_is_named(two: Path) -> None:
    (two / "manifests" / f"000001-{OLD}.json").unlink()
    with pytest.raises(LakeError, match=r"000001.*a manifest of the chain is missing"):
        verify(two)


@pytest.mark.parametrize(("field", "value"), [("run_id", "c" * 32), ("partitions", []), ("deliveries", [1]), ("number", 1)])
def test_an_edited_current_json_is_named(two: Path, field: str, value: object) -> None:
    path = two / "current.json"
    said = json.loads(path.read_text())
    said[field] = value
    path.write_text(json.dumps(said, indent=1, sort_keys=True) + "\n")
    with pytest.raises(LakeError, match=rf"current.json: .*(differs|chain|does not know)|{field}"):
        verify(two)


def test_a_current_json_that_is_no_json_is_said_so(two: Path) -> None:
    (two / "current.json").write_bytes(b"{\xff")
    with pytest.raises(LakeError, match=r"current.json: cannot be read"):
        verify(two)


@pytest.mark.parametrize("how", ["put back", "removed"])
def test_a_current_json_put_back_or_removed_is_named_and_no_audit_sweeps_its_publishes_away(lake: Path, how: str) -> None:
    publish(lake, OLD)
    earlier = (lake / "current.json").read_bytes()
    publish(lake, NEW, rows=5)
    (lake / "current.json").unlink()
    if how == "put back":
        (lake / "current.json").write_bytes(earlier)
    before = bytes_under(lake)
    for attempt in (lambda: verify(lake), lambda: publish(lake, "c" * 32)):
        with pytest.raises(LakeError, match=r"current.json: (does not know|is missing, which knew) the publish manifests/00000[12]"):
            attempt()
    assert bytes_under(lake) == before


def test_a_lake_cut_back_shows_only_against_a_head_kept_elsewhere(lake: Path) -> None:
    publish(lake, OLD)
    earlier = (lake / "current.json").read_bytes(), (lake / "audit.duckdb").read_bytes()
    publish(lake, NEW, rows=5)
    head = verify(lake).run_sha256
    (lake / "current.json").write_bytes(earlier[0])
    (lake / "audit.duckdb").write_bytes(earlier[1])
    for record in (*lake.rglob(f"*-{NEW}.json"), *lake.rglob(f"{NEW}.parquet")):
        record.unlink()
    assert verify(lake).publishes == 1
    with pytest.raises(LakeError, match="is in no chain here"):
        verify(lake, head)


@pytest.mark.parametrize(
    "forgery",
    [
        "CREATE OR REPLACE VIEW coverage AS SELECT 1 AS examined",
        "CREATE TABLE findings_too AS SELECT 1 AS x",
        "CREATE VIEW extra AS SELECT 1 AS x",
        "DROP VIEW coverage",
        "COMMENT ON VIEW findings IS 'nothing to see'",
        "CREATE OR REPLACE MACRO money(amount, currency) AS '0.00'",
    ],
)
def test_an_edited_catalogue_is_named(two: Path, forgery: str) -> None:
    with duckdb.connect(str(two / "audit.duckdb")) as con:
        con.execute(forgery)
    with pytest.raises(LakeError, match=r"audit.duckdb: its (view|table|macro|column)"):
        verify(two)


def test_a_catalogue_of_an_earlier_night_is_named(lake: Path) -> None:
    publish(lake, OLD)
    earlier = (lake / "audit.duckdb").read_bytes()
    publish(lake, NEW, rows=5)
    (lake / "audit.duckdb").write_bytes(earlier)
    with pytest.raises(LakeError, match="shows an older state"):
        verify(lake)


def test_any_byte_that_is_flipped_is_named(two: Path) -> None:
    """In the catalogue some bytes hold nothing that a reader sees: there, what it defines is as published, or the flip is named."""
    chance = random.Random(7)  # noqa: S311
    files = sorted(path for path in two.rglob("*") if path.is_file() and path.name != "lock")
    for path in [*chance.sample(files, 12), *[two / "audit.duckdb"] * 12]:
        content = bytearray(path.read_bytes())
        place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
        content[place] ^= bit
        path.write_bytes(content)
        try:
            with pytest.raises(LakeError):
                verify(two)
        except pytest.fail.Exception:
            assert path.name == "audit.duckdb", f"{path}: bit {bit} of byte {place}"
        content[place] ^= bit
        path.write_bytes(content)
    verify(two)


@pytest.mark.parametrize("other", ["gaming_day=2026-11-04", "studio_id=studio-8"])
def test_partitions_that_are_swapped_are_named(lake: Path, other: str) -> None:
    day, studio = date.fromisoformat("2026-11-04"), "studio-8"
    publish(lake, OLD)
    publish(lake, NEW, **({"gaming_day": day} if "day" in other else {"studio_id": studio}), rows=5, source="e" * 64)
    one, two = sorted(lake.glob("tables/settlements/*/*/*.parquet"))
    kept = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(kept)
    with pytest.raises(LakeError, match="was changed after it was published"):
        verify(lake)


def test_a_file_that_no_manifest_names_is_told(two: Path) -> None:
    stray = settlements_of(two, "c" * 32)
    stray.write_bytes(b"x")
    assert verify(two).strays == (stray.relative_to(two).as_posix(),)
