from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from datetime import date
from pathlib import Path

import duckdb
import pytest

from pipeline.core.errors import LakeError
from pipeline.lake import facts as recorded
from pipeline.lake import manifest, open_lake, open_run, relocate, run_digest, verify, writing
from pipeline.lake.layout import manifest_file
from pipeline.lake.publish import STEPS
from pipeline.lake.tables import LAKE, RUNS, STORED_TABLES
from tests.support.lake import DAY, STUDIO, bytes_under, facts, fill, parquet_bytes, publish, source_files

CONTRACT = """
    rounds hands card_readings participants wagers settlements findings coverage wallet meters quarantine filings source_files
    runs daily_totals
"""
OLD, NEW = "a" * 32, "b" * 32
ROOT = Path(__file__).parents[2]


class KilledError(Exception):
    pass


def shown(lake: Path) -> tuple[int, str]:
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as con:
        rows = con.execute(
            "SELECT (SELECT count(*) FROM settlements), (SELECT count(*) FROM rounds), (SELECT run_id FROM quarantine), run_id FROM lake"
        ).fetchone()
    assert rows is not None
    assert rows[0] == rows[1]
    assert rows[2] == rows[3]
    return rows[0], rows[2]


def test_audit_duckdb_opens_with_no_set_up_and_shows_every_table(lake: Path) -> None:
    publish(lake)
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as con:
        views = {row[0] for row in con.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()}
        assert set(CONTRACT.split()) <= views
        for view in views:
            con.sql(f'SELECT * FROM "{view}"').fetchall()
        for table in (*STORED_TABLES.values(), RUNS, LAKE):
            assert con.sql(f'SELECT * FROM "{table.name}"').columns == [column.name for column in table.columns]
        assert con.sql("SELECT filing_fingerprint, filing_id FROM filings").fetchall() == [("f" * 64, "keystone-tcp-2026")]


def test_every_view_column_and_macro_is_commented(lake: Path) -> None:
    publish(lake)
    with open_lake(lake) as con:
        assert con.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''").fetchall() == []
        bare = con.sql("SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND coalesce(comment, '') = ''").fetchall()
        assert bare == []
        assert con.sql("SELECT function_name FROM duckdb_functions() WHERE NOT internal AND coalesce(comment, '') = ''").fetchall() == []


def test_the_file_is_of_a_version_that_duckdb_1_5_reads(lake: Path) -> None:
    publish(lake)
    header = (lake / "audit.duckdb").read_bytes()[:16]
    assert header[8:12] == b"DUCK"
    assert 64 <= int.from_bytes(header[12:16], "little") <= 68
    assert not list(lake.glob("*.wal"))


def test_the_same_run_gives_the_same_parquet_in_another_lake(tmp_path: Path) -> None:
    publish(tmp_path / "one")
    publish(tmp_path / "two")
    assert parquet_bytes(tmp_path / "one") == parquet_bytes(tmp_path / "two")
    heads = [verify(tmp_path / name).manifest_sha256 for name in ("one", "two")]
    assert heads[0] == heads[1]


def test_running_the_same_again_changes_no_byte(lake: Path) -> None:
    publish(lake)
    before = bytes_under(lake)
    publish(lake)
    assert bytes_under(lake) == before


def test_a_missing_or_damaged_catalogue_is_rebuilt_by_the_next_run(lake: Path) -> None:
    publish(lake)
    before = bytes_under(lake, "audit.duckdb")
    (lake / "audit.duckdb").write_bytes(b"nonsense")
    publish(lake)
    assert shown(lake) == (3, OLD)
    (lake / "audit.duckdb").unlink()
    publish(lake)
    assert shown(lake) == (3, OLD)
    assert bytes_under(lake, "audit.duckdb") == before


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    lake = tmp_path_factory.mktemp("undisturbed") / "lake"
    publish(lake, OLD)
    publish(lake, NEW, rows=5)
    return parquet_bytes(lake)


@pytest.mark.parametrize("step", STEPS)
def test_a_run_killed_after_a_step_leaves_one_whole_state_and_the_next_run_ends_as_if_undisturbed(
    lake: Path, undisturbed: dict[str, bytes], step: str
) -> None:
    publish(lake, OLD)
    published = parquet_bytes(lake)

    def kill(done: str) -> None:
        if done == step:
            raise KilledError

    with pytest.raises(KilledError):
        publish(lake, NEW, kill, rows=5)
    assert shown(lake) == ((5, NEW) if step == "refreshed" else (3, OLD))
    kept = parquet_bytes(lake)
    assert all(kept[name] == content for name, content in published.items())
    publish(lake, NEW, rows=5)
    assert shown(lake) == (5, NEW)
    assert parquet_bytes(lake) == undisturbed
    assert verify(lake).strays == ()
    assert not list((lake / "staging").iterdir())


@pytest.mark.parametrize("step", ["staged", "moved", "recorded"])
def test_what_a_killed_run_left_is_swept_by_another_run(lake: Path, step: str) -> None:
    def kill(done: str) -> None:
        if done == step:
            raise KilledError

    with pytest.raises(KilledError):
        publish(lake, OLD, kill)
    publish(lake, NEW)
    assert shown(lake) == (3, NEW)
    assert not [path for path in lake.rglob("*") if OLD in path.name]
    assert verify(lake).publishes == 1


@pytest.mark.parametrize("left", ["tables/../current.json", "tables/findings/a/b.parquet"])
def test_a_list_of_moves_that_was_tampered_with_removes_nothing_but_its_own_runs_files(lake: Path, left: str) -> None:
    publish(lake, OLD)
    victim = lake / left
    victim.parent.mkdir(parents=True, exist_ok=True)
    if not victim.exists():
        victim.write_bytes(b"x")
    moves = lake / "staging" / NEW / "moves.json"
    moves.parent.mkdir(parents=True)
    moves.write_bytes(json.dumps([left]).encode())
    publish(lake, OLD)
    assert victim.exists()


def test_a_file_left_in_staging_is_swept(lake: Path) -> None:
    publish(lake, OLD)
    (lake / "staging" / "remedies.ndjson").write_bytes(b"{")
    publish(lake, OLD)
    assert list((lake / "staging").iterdir()) == []


@pytest.mark.parametrize("step", ["moved", "switched"])
def test_a_sigkill_leaves_one_whole_state(lake: Path, step: str) -> None:
    publish(lake, OLD)
    program = f"""
        import os, signal
        from pathlib import Path
        from tests.support.lake import publish
        publish(Path({str(lake)!r}), {NEW!r}, lambda done: os.kill(os.getpid(), signal.SIGKILL) if done == {step!r} else None, rows=5)
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, check=False, capture_output=True)  # noqa: S603
    assert ended.returncode == -signal.SIGKILL
    assert shown(lake) == (3, OLD)
    publish(lake, NEW, rows=5)
    assert shown(lake) == (5, NEW)


def test_any_move_that_fails_leaves_one_whole_state(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(lake, OLD)
    moved = Path.replace
    for last in range(30):
        left = last

        def fail(self: Path, target: Path) -> Path:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(28, "No space left on device")
            return moved(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", fail)
            try:
                publish(lake, NEW, rows=5)
            except OSError:
                assert shown(lake) == (3, OLD)
            else:
                assert last > 8
                assert shown(lake) == (5, NEW)
                return
    pytest.fail("the publish never came through")


def test_a_second_audit_is_refused_in_words(lake: Path) -> None:
    with writing(lake), pytest.raises(LakeError, match="another audit is writing to this lake"), writing(lake):
        pass
    with writing(lake):
        pass


def test_a_reader_keeps_its_night_while_the_next_is_published(lake: Path) -> None:
    publish(lake, OLD)
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as reader:
        publish(lake, NEW, rows=5)
        assert reader.sql("SELECT count(*) FROM settlements").fetchall() == [(3,)]
    assert shown(lake) == (5, NEW)
    with open_run(lake, OLD) as earlier:
        assert earlier.sql("SELECT count(*) FROM settlements").fetchall() == [(3,)]


def test_an_earlier_run_may_become_current_again(lake: Path) -> None:
    publish(lake, OLD)
    publish(lake, NEW, rows=5)
    publish(lake, OLD)
    assert shown(lake) == (3, OLD)
    assert verify(lake).publishes == 3


def test_a_folder_that_is_no_lake_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_text("")
    with pytest.raises(LakeError, match=r"is not a lake: it holds holiday\.jpg"), writing(tmp_path):
        pass
    with pytest.raises(LakeError, match="is a file"), writing(tmp_path / "holiday.jpg"):
        pass
    with pytest.raises(LakeError, match="may not hold"), writing(tmp_path / "a*b"):
        pass
    with pytest.raises(LakeError, match="there is no lake here"):
        open_lake(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_a_moved_lake_says_so_and_one_call_mends_it(lake: Path, tmp_path: Path) -> None:
    publish(lake)
    there = tmp_path / "it's elsewhere"
    shutil.move(lake, there)
    with pytest.raises(LakeError, match=r"the lake was moved here from .*resettle lake here"):
        open_lake(there)
    with pytest.raises(LakeError, match="names its files in"):
        verify(there)
    relocate(there)
    assert shown(there) == (3, OLD)
    verify(there)


def test_hostile_ids_come_back_as_they_went_in(lake: Path) -> None:
    hostile = "a/../b'; DROP TABLE x; --\"\n<script>alert(1)</script>\u202e=1+1%00"
    publish(lake, studio_id=hostile)
    with open_lake(lake) as con:
        assert con.sql("SELECT DISTINCT studio_id FROM settlements").fetchall() == [(hostile,)]
    verify(lake)


def test_a_rerun_that_dates_the_same_files_otherwise_leaves_no_round_twice(lake: Path) -> None:
    publish(lake, OLD, gaming_day=date(2026, 11, 4))
    publish(lake, NEW, gaming_day=DAY)
    with open_lake(lake) as con:
        assert con.sql("SELECT DISTINCT gaming_day FROM settlements").fetchall() == [(DAY,)]
    verify(lake)


def test_another_delivery_stands_beside_the_first(lake: Path) -> None:
    publish(lake, OLD)
    publish(lake, NEW, gaming_day=date(2026, 11, 4), source="e" * 64)
    with open_lake(lake) as con:
        assert con.sql("SELECT count(*) FROM settlements").fetchall() == [(6,)]
        assert con.sql("SELECT count(*) FROM filings").fetchall() == [(1,)]
        assert con.sql("SELECT run_id FROM source_files ORDER BY 1").fetchall() == [(OLD,), (NEW,)]
        assert con.sql("SELECT number, run_id, is_current FROM runs ORDER BY 1").fetchall() == [(1, OLD, True), (2, NEW, True)]


def test_a_late_delivery_of_the_same_day_leaves_the_books_of_the_first(lake: Path) -> None:
    publish(lake, OLD)
    publish(lake, NEW, source="e" * 64, source_name="late.ndjson", rows=5)
    with open_lake(lake) as con:
        assert con.sql("SELECT count(*) FROM settlements").fetchall() == [(5,)]
        assert con.sql("SELECT source_file FROM source_files ORDER BY 1").fetchall() == [("late.ndjson",), ("rounds.ndjson",)]
        assert con.sql("SELECT source_file FROM quarantine ORDER BY 1").fetchall() == [("late.ndjson",), ("rounds.ndjson",)]


def test_a_file_that_is_read_again_beside_another_stands_once(lake: Path) -> None:
    with writing(lake) as opened:
        both = opened.begin(facts(OLD))
        both.deliver("source_files", source_files("other.ndjson", "e" * 64))
        both.publish(fill(both))
    publish(lake, NEW)
    with open_lake(lake) as con:
        asked = "SELECT run_id, source_file FROM source_files ORDER BY 1, 2"
        assert con.sql(asked).fetchall() == [(OLD, "other.ndjson"), (NEW, "rounds.ndjson")]
        assert con.sql("SELECT run_id FROM quarantine").fetchall() == [(NEW,)]
    verify(lake)


def test_a_day_that_also_holds_rounds_of_another_file_is_not_withdrawn(lake: Path) -> None:
    publish(lake, OLD, source="e" * 64, source_name="first.ndjson")
    publish(lake, NEW, source_name="late.ndjson", gaming_day=date(2026, 11, 4))
    with open_lake(lake) as con:
        assert con.sql("SELECT DISTINCT gaming_day FROM settlements ORDER BY 1").fetchall() == [(DAY,), (date(2026, 11, 4),)]
    publish(lake, "c" * 32, source_name="late.ndjson", gaming_day=date(2026, 11, 5))
    with open_lake(lake) as con:
        assert con.sql("SELECT DISTINCT gaming_day FROM settlements ORDER BY 1").fetchall() == [(DAY,), (date(2026, 11, 5),)]
    verify(lake)


def test_a_night_without_rounds_is_published(lake: Path) -> None:
    with writing(lake) as opened:
        opened.begin(facts()).publish([])
        assert opened.begin(facts()).published
    with open_lake(lake) as con:
        assert con.sql("SELECT count(*) FROM rounds").fetchall() == [(0,)]
        assert con.sql("SELECT run_id, partitions FROM runs").fetchall() == [(OLD, 0)]


def test_files_are_not_for_everyone(lake: Path) -> None:
    previous = os.umask(0)
    try:
        publish(lake)
    finally:
        os.umask(previous)
    assert [path for path in (lake, *lake.rglob("*")) if path.is_dir() and path.stat().st_mode & 0o007] == []
    assert [path for path in lake.rglob("*.parquet") if path.stat().st_mode & 0o007] == []


def test_the_run_digest_sees_what_decides_and_nothing_else() -> None:
    def digest(inputs: list[tuple[str, str]], filings: str = "f", code: str = "1") -> str:
        return run_digest(inputs, filings, "c", {"resettle": code}, {})

    one, two = ("a", "1"), ("b", "2")
    assert digest([one, two]) == digest([two, one])
    assert re.fullmatch("[0-9a-f]{32}", digest([one]))
    assert (
        len({digest([one, two]), digest([one]), digest([("a", "2"), ("b", "1")]), digest([one, two], "g"), digest([one, two], code="2")})
        == 5
    )


def test_a_manifest_holds_the_evidence(lake: Path) -> None:
    publish(lake)
    one = manifest.read(lake / manifest_file(1, OLD), manifest.Manifest)
    assert one.inputs == [recorded.InputFacts("rounds.ndjson", "d" * 64, 100, 3, 3)]
    table = one.partitions[0].tables["settlements"]
    assert (one.partitions[0].studio_id, table.rows, table.control["USD"]["stake"]) == (STUDIO, 3, "30.000000")
    assert str(lake) not in (lake / "manifests" / f"000001-{OLD}.json").read_text()


def test_publishing_twice_is_a_mistake_of_the_caller(lake: Path) -> None:
    with writing(lake) as opened:
        publication = opened.begin(facts())
        publication.publish(fill(publication))
        with pytest.raises(RuntimeError, match="is published"):
            publication.publish([])
