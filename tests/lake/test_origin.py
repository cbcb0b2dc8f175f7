"""A lake in an object store: published in one step, by one of two; read, added to and proved from any machine."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pipeline.core.errors import LakeError, StoreError
from pipeline.core.object_store import Address, Store
from pipeline.lake import appended, disk, finding_life, open_lake, verify, writing
from pipeline.lake.finding_life import FollowUp
from pipeline.lake.layout import CURRENT, FOLLOW_UPS
from pipeline.lake.manifest import digest
from pipeline.lake.opening import shown_here
from pipeline.lake.signature import sign
from pipeline.lake.working_copy import working_copy
from tests.support.lake import DAY, NIGHT, STUDIO, bytes_under, facts, fill, publish

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.store import Bucket

A, B, C = "a" * 32, "b" * 32, "c" * 32
HERE_ONLY = ("audit.duckdb", "lock", "staging", "fetching", "origin.json")


@pytest.fixture
def lake(bucket: Bucket) -> Address:
    return bucket.address("studio/lake")


def published(lake: Address, run_id: str = A, **what: object) -> Path:
    """Publish a night from this machine; the working copy."""
    publish(root := working_copy(lake), run_id, **what)  # type: ignore[arg-type]
    return root


def runs(lake: Address) -> list[str]:
    """The runs that the lake holds, in order."""
    with writing(working_copy(lake)) as opened:
        return [one.run_id for _, one in sorted(opened.chain.items())]


def test_another_machine_reads_what_one_published(bucket: Bucket, lake: Address, tmp_path: Path) -> None:
    first = published(lake)
    publish(tmp_path / "local")
    bucket.machine("two")
    second = shown_here(lake)
    assert second != first
    with open_lake(second) as con:
        assert con.sql("SELECT count(*), sum(paid) FROM settlements").fetchall() == [(3, 60)]
    data = ("tables", "deliveries", "manifests")
    local = {name: content for name, content in bytes_under(tmp_path / "local").items() if name.startswith(data)}
    assert {name: content for name, content in bytes_under(second).items() if name.startswith(data)} == local
    assert bytes_under(first, *HERE_ONLY) == bytes_under(second, *HERE_ONLY)
    assert verify(second).publishes == 1


def test_of_two_runs_that_publish_the_same_night_at_once_one_wins_and_the_other_says_so(bucket: Bucket, lake: Address) -> None:
    published(lake)
    late = working_copy(lake)
    with writing(late) as opened:
        publication = opened.begin(facts(B))
        night = fill(publication)
        bucket.machine("two")
        published(lake, C)
        with pytest.raises(LakeError, match=f"{lake}: another run published there meanwhile .publish 2, run {C}. .nothing was"):
            publication.publish(night)
    assert runs(lake) == [A, C]
    bucket.machine("one")
    publish(late, B)
    assert runs(lake) == [A, C, B]
    found = verify(shown_here(lake))
    assert (found.publishes, found.partitions, found.strays) == (3, 1, ())
    bucket.machine("three")
    assert verify(shown_here(lake)).run_sha256 == found.run_sha256


@pytest.mark.exhaustive
def test_the_very_same_run_at_once_on_two_machines_is_published_once(bucket: Bucket, lake: Address) -> None:
    def meanwhile(step: str) -> None:
        if step == "recorded":
            bucket.machine("two")
            published(lake)
            bucket.machine("one")

    with pytest.raises(LakeError, match="another run published there meanwhile"):
        publish(working_copy(lake), on_step=meanwhile)
    published(lake)
    assert runs(lake) == [A]


class KilledError(Exception):
    pass


@pytest.mark.parametrize("step", ["uploaded", "switched there", "switched"])
def test_a_run_killed_on_its_way_leaves_the_old_state_or_the_new_one_and_the_rerun_ends_as_if_undisturbed(
    step: str, bucket: Bucket, lake: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    published(lake)

    def die(now: str) -> None:
        if now == step:
            raise KilledError

    with monkeypatch.context() as patch:
        if step == "uploaded":
            patch.setattr(Store, "put", lambda *_: die("uploaded"))
        with pytest.raises(KilledError):
            publish(working_copy(lake), B, die)
    bucket.machine("two")
    assert runs(lake) == ([A] if step == "uploaded" else [A, B])
    bucket.machine("one")
    published(lake, B)
    assert runs(lake) == [A, B]
    found = verify(shown_here(lake))
    assert (found.publishes, found.strays) == (2, ())


def note(lake: Address, by: str) -> None:
    """Somebody adds a line to the findings' histories."""
    with writing(working_copy(lake)) as opened:
        before = finding_life.read(opened.root)
        said = FollowUp(len(before) + 1, NIGHT, by, "f" * 32, "note", "payout_mismatch", STUDIO, DAY, 1)
        appended.add(opened, FOLLOW_UPS, before, [said])


@pytest.mark.exhaustive
def test_what_two_people_add_at_once_is_refused_to_one_of_them_and_lost_to_none(bucket: Bucket, lake: Address) -> None:
    published(lake)
    note(lake, "first")
    put = Store.put

    def late(self: Store, name: str, content: bytes, seen: object) -> object:
        patch.setattr(Store, "put", put)
        bucket.machine("one")
        note(lake, "second")
        bucket.machine("two")
        return put(self, name, content, seen)  # type: ignore[arg-type]

    bucket.machine("two")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "put", late)
        with pytest.raises(LakeError, match=f"{lake}/{FOLLOW_UPS}: somebody else wrote to it meanwhile .run this again"):
            note(lake, "third")
    note(lake, "third")
    bucket.machine("one")
    with open_lake(shown_here(lake)) as con:
        assert con.sql("SELECT recorded_by FROM follow_ups ORDER BY entry").fetchall() == [("first",), ("second",), ("third",)]
    published(lake, B)
    assert verify(shown_here(lake)).beside.keys() == {FOLLOW_UPS}
    lines = bucket.objects(lake.key)[FOLLOW_UPS].splitlines(keepends=True)
    for now, said in (
        (b"".join(lines[:2]), f"shows less in {FOLLOW_UPS}, or something else, than"),
        (None, f"has no {FOLLOW_UPS} any more"),
    ):
        bucket.spoil(f"{lake.key}/{FOLLOW_UPS}", now)
        with pytest.raises(LakeError, match=f"{lake}: {said}"):
            shown_here(lake)


def test_a_line_that_was_added_right_before_a_kill_is_not_lost(bucket: Bucket, lake: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    published(lake)
    note(lake, "first")
    move = disk.move

    def die(source: Path, target: Path) -> None:
        if target.name == FOLLOW_UPS.rpartition("/")[2]:
            raise KilledError
        move(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "move", die)
        with pytest.raises(KilledError):
            note(lake, "second")
    note(lake, "third")
    assert [b'"%s"' % by in bucket.objects(lake.key)[FOLLOW_UPS] for by in (b"first", b"second", b"third")] == [True, True, True]


def test_a_copy_is_not_behind_a_bucket_that_keeps_versions_or_holds_folders_of_a_console(bucket: Bucket, lake: Address) -> None:
    bucket.request("PUT", "?versioning", b"<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>")
    published(lake)
    note(lake, "first")
    bucket.request("PUT", f"/{lake.key}/remedies/")
    root = shown_here(lake)
    # A reader is not held up by somebody who writes, since it has nothing to bring.
    with writing(root):
        assert shown_here(lake) == root


def test_a_lake_is_signed_from_one_machine_and_the_signature_checked_on_another(bucket: Bucket, lake: Address) -> None:
    root, key = published(lake), Ed25519PrivateKey.generate()
    with writing(root) as opened:
        assert opened.state is not None
        sign(opened.root, opened.state, key)
    bucket.machine("two")
    signer = key.public_key().public_bytes_raw().hex()
    assert verify(shown_here(lake), signer=signer).signed_by == signer


def test_what_a_forged_lake_says_is_not_let_out_of_the_working_copy(bucket: Bucket, lake: Address) -> None:
    published(lake)
    store, objects = Store(lake), bucket.objects(lake.key)
    name = next(name for name in objects if name.startswith("manifests/"))
    for good, bad in (("tables/settlements/", "../../settlements/"), (A, "../../../" + A)):
        forged = objects[name].replace(good.encode(), bad.encode())
        store.keep(f"manifests/000001-{digest(forged)}.json", forged)
        head = objects[CURRENT].replace(name[17:-5].encode(), digest(forged).encode())
        assert head != objects[CURRENT]
        bucket.spoil(f"{lake.key}/{CURRENT}", head)
        bucket.machine(f"for {good}")
        with pytest.raises(LakeError, match=f"{lake}.*: names a file outside of the lake, "):
            shown_here(lake)


def test_a_writer_brings_no_more_than_it_needs_and_a_reader_what_is_current(bucket: Bucket, lake: Address) -> None:
    published(lake)
    bucket.machine("two")
    root = published(lake, B)
    assert {path.stem for path in (root / "tables").rglob("*.parquet")} == {B}
    assert not (root / "audit.duckdb").exists()
    verify(shown_here(lake))
    bucket.machine("three")
    assert {path.stem for path in (shown_here(lake) / "tables").rglob("*.parquet")} == {B}


def test_what_is_changed_or_missing_in_the_store_is_named(bucket: Bucket, lake: Address) -> None:
    published(lake)
    shown_here(lake)
    words = f"{lake}.*(is missing|was changed after it was published|there is no lake here)|{CURRENT}: run_id differs from what the chain"
    objects = bucket.objects(lake.key)
    for what in ("tables/", "deliveries/", "manifests/", "runs/", CURRENT):
        name = next(name for name in objects if name.startswith(what))
        changed = objects[name].replace(A.encode(), b"e" * 32) if what == CURRENT else objects[name][:-1] + b"~"
        for machine, now in (("one", changed), (f"new for {what}", changed), ("one", None)):
            bucket.machine(machine)
            bucket.spoil(f"{lake.key}/{name}", now)
            with pytest.raises(LakeError, match=words):
                verify(shown_here(lake))
        bucket.spoil(f"{lake.key}/{name}", objects[name])
    bucket.machine("one")
    assert verify(shown_here(lake)).publishes == 1


def test_a_lake_that_was_put_back_in_the_store_is_not_built_on(bucket: Bucket, lake: Address) -> None:
    published(lake)
    before = bucket.objects(lake.key)[CURRENT]
    root = published(lake, B)
    bucket.spoil(f"{lake.key}/{CURRENT}", before)
    with pytest.raises(LakeError, match=f"{lake}: shows publish 1, and publish 2 was seen here .bring it back there; or"):
        published(lake, C)
    shutil.rmtree(root)
    published(lake, C)
    assert runs(lake) == [A, C]


def test_a_working_copy_that_was_moved_is_neither_a_lake_nor_one(lake: Address, tmp_path: Path) -> None:
    shutil.copytree(published(lake), tmp_path / "copy")
    with pytest.raises(LakeError, match=f"was a working copy of {lake} in .* .name {lake} itself; remove this"):
        publish(tmp_path / "copy", B)


def test_a_publish_whose_last_step_was_not_answered_is_not_called_none(lake: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    put = Store.put

    def lost(self: Store, *what: object) -> None:
        put(self, *what)  # type: ignore[arg-type]
        raise StoreError("the line is dead")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "put", lost)
        with pytest.raises(StoreError, match=f"{lake}: no answer to the last step of publishing: the line is dead .it may have been"):
            published(lake)
    published(lake)
    assert runs(lake) == [A]


def test_where_no_lake_is_a_reader_is_told_and_a_store_that_does_not_answer_is_named(
    bucket: Bucket, lake: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LakeError, match=f"{lake}: there is no lake here"):
        shown_here(lake)
    with pytest.raises(StoreError, match=r"s3://no-such-bucket/lake/.*: there is no such bucket .make it, or check the address"):
        shown_here(Address("s3", "no-such-bucket", "lake"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StoreError, match=f"{lake}/current.json: the store does not answer as it should: .* .see to the network"):
        published(lake)
    assert bucket.name in str(lake)
