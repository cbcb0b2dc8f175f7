"""An audit whose files and lake lie in an object store, from the command line: the same lake as from files here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.asked import asked, fetched
from pipeline.core.errors import InputError
from pipeline.core.object_store import Address, Store
from pipeline.lake.origin import Origin
from pipeline.lake.working_copy import working_copy
from tests.support.command_line import resettle
from tests.support.lake import bytes_under

if TYPE_CHECKING:
    from tests.support.store import Bucket

PUBLISHED = ("tables", "deliveries", "manifests")


@pytest.fixture
def delivered(bucket: Bucket, sample: Path, tmp_path: Path) -> tuple[Path, Address]:
    """Six rounds, a wallet's ledger, the filings and more: here, and in the store."""
    here = tmp_path / "studio"
    (here / "inbox" / "late").mkdir(parents=True)
    (here / "filings").mkdir()
    lines = (sample / "rounds.ndjson").read_bytes().splitlines(keepends=True)
    (here / "inbox" / "rounds.ndjson").write_bytes(b"".join(lines[:4]))
    (here / "inbox" / "late" / "rounds.ndjson").write_bytes(b"".join(lines[4:6]))
    (here / "wallet.ndjson").write_bytes(b"".join((sample / "wallet.ndjson").read_bytes().splitlines(keepends=True)[:30]))
    (here / "roster.csv").write_bytes((sample / "roster.csv").read_bytes())
    for filing in (sample / "filings").glob("*.toml"):
        (here / "filings" / filing.name).write_bytes(filing.read_bytes())
    return here, bucket.put("studio", here)


def words(place: Path | Address, lake: Path | Address) -> list[str]:
    given = {"--filings": "filings", "--wallet": "wallet.ndjson", "--roster": "roster.csv"}
    return [
        "audit",
        f"{place}/inbox",
        *(word for option, name in given.items() for word in (option, f"{place}/{name}")),
        "--lake",
        str(lake),
    ]


def test_a_night_from_a_store_into_one_twice_at_once_is_published_once_and_as_from_files_here(
    delivered: tuple[Path, Address], bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = delivered
    lake, publish = bucket.address("lake"), Origin.publish

    def late(self: Origin, *what: object) -> None:
        monkeypatch.setattr(Origin, "publish", publish)
        bucket.machine("two")
        assert resettle(*words(there, lake)).exit_code == 0
        bucket.machine("one")
        publish(self, *what)  # type: ignore[arg-type]

    monkeypatch.setattr(Origin, "publish", late)
    beaten = resettle(*words(there, lake))
    assert beaten.exit_code == 2
    assert beaten.stderr.startswith(f"resettle: {lake}: another run published there meanwhile (publish 1, run ")
    assert beaten.stderr.endswith(") (nothing was published; run this again, and it builds on what stands there now)\n")
    again = resettle(*words(there, lake))
    assert (again.exit_code, "audited before" in again.stdout) == (0, True)
    assert list((tmp_path / "machines").glob("*/inputs/*")) == []

    assert resettle(*words(here, tmp_path / "lake")).exit_code == 0
    local = {name: told for name, told in bytes_under(tmp_path / "lake").items() if name.startswith(PUBLISHED)}
    bucket.machine("two")
    copy = {name: told for name, told in bytes_under(working_copy(lake)).items() if name.startswith(PUBLISHED)}
    assert copy == local
    assert set(local.values()) <= set(bucket.objects("lake").values())

    bucket.machine("three")
    asked_here, asked_there = (
        resettle("query", "SELECT source_file, sha256 FROM source_files ORDER BY ALL", "--lake", one, "--format", "csv")
        for one in (tmp_path / "lake", str(lake))
    )
    assert asked_there.stdout == asked_here.stdout != ""
    told = resettle("explain", "TCP-01-0000001", "--lake", str(lake), "--source", f"{there}/inbox")
    assert '{"schema":"round-log/1","round_id":"TCP-01-0000001"' in told.stdout
    assert resettle("verify", "--lake", str(lake)).exit_code == 0


def test_what_changes_or_is_not_there_is_refused_in_words(bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = bucket.put("rounds.ndjson", b"{}\n")
    about = Store.about

    def meanwhile(self: Store, name: str) -> object:
        found = about(self, name)
        bucket.spoil("rounds.ndjson", b"{}\n{}\n")
        return found

    with pytest.raises(InputError, match=f"{log}: lies in an object store, .* .name a path as sign"), asked(lake=tmp_path, sign=log):
        pass
    with pytest.raises(InputError, match=f"{bucket.name}/nothing: no such object or folder .check the address"):
        fetched(bucket.address("nothing"), tmp_path)
    monkeypatch.setattr(Store, "about", meanwhile)
    with pytest.raises(InputError, match=f"{log}: changed while it was read .run this again once"):
        fetched(log, tmp_path)


def test_objects_that_stand_for_a_folder_and_names_that_no_two_files_can_have(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put("in", b"")
    bucket.put("in/a.ndjson", b"{}\n")
    monkeypatch.chdir(tmp_path)
    assert [path.name for path in fetched(bucket.address("in"), Path("../" + tmp_path.name, "here")).iterdir()] == ["a.ndjson"]
    bucket.put("in/a.ndjson/b.ndjson", b"{}\n")
    bucket.put(f"long/{'x' * 300}", b"{}\n")
    for folder, named in (("in", "in/a.ndjson/b.ndjson"), ("long", "long/x+")):
        with pytest.raises(InputError, match=f"{bucket.name}/{named}: no file here can have its name .rename it in the store"):
            fetched(bucket.address(folder), tmp_path / "there")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            ["--lake", "ftp://bucket/lake"],
            "ftp:// is no object store that is known here (write it like s3://bucket/folder; ",
        ),
        (["--lake", "s3://bucket/../lake"], "s3://bucket/../lake: is no address in an object store (write it like "),
        (["--lake", "s3://user:word@bucket/lake"], "s3://user:word@bucket/lake: is no address in an object store ("),
        (
            ["--lake", "lake", "--report", "s3://bucket/report"],
            "s3://bucket/report lies in an object store, and this must be on this",
        ),
    ],
)
def test_an_address_that_is_none_is_refused_in_one_line(typed: list[str], said: str, sample: Path) -> None:
    refused = resettle("audit", sample / "rounds.ndjson", "--filings", sample / "filings", *typed)
    assert (refused.exit_code, said in refused.stderr, refused.stderr.count("\n")) == (2, True, 1)


def test_a_folder_that_a_killed_audit_left_goes_with_a_later_one_and_one_in_use_stays(bucket: Bucket, tmp_path: Path) -> None:
    inputs = tmp_path / "machines" / "one" / "inputs"
    (inputs / "left").mkdir(parents=True)
    os.utime(inputs / "left", (0, 0))
    log = bucket.put("a/rounds.ndjson", b"{}\n")
    with asked(inputs=(log, log, bucket.address("a")), filings=tmp_path, lake=tmp_path / "lake") as request:
        found, again, folder_of_it = request.inputs
        assert (again, folder_of_it) == (found, found.parent)
        assert found.read_bytes() == b"{}\n"
        assert found.parts[-3:] == (bucket.name, "a", "rounds.ndjson")
        (folder,) = inputs.iterdir()
        os.utime(folder, (0, 0))
        with asked(inputs=(log,), filings=tmp_path, lake=tmp_path / "lake"):
            assert found.exists()
    assert list(inputs.iterdir()) == []
