from __future__ import annotations

from typing import TYPE_CHECKING, Never

import pytest
from obstore.exceptions import GenericError, PermissionDeniedError

from pipeline.core.errors import StoreError
from pipeline.core.object_store import Address, OvertakenError, Store, place

if TYPE_CHECKING:
    from tests.support.store import Bucket


def test_an_address_reads_back_as_it_was_written() -> None:
    for text in ("s3://bucket/a b/c%d", "gs://bucket/lake", "az://container/x"):
        assert str(place(text)) == text
    assert str(place("S3://bucket/lake/")) == "s3://bucket/lake"
    assert str(place("lake/s3:x")) == "lake/s3:x"


def test_objects_that_stand_for_folders_are_not_listed(bucket: Bucket) -> None:
    for key in ("inbox/a.csv", "inbox/late/b c%d.csv"):
        bucket.put(key, b"x")
    for folder in ("inbox/", "inbox/late/"):
        bucket.request("PUT", f"/{folder}")
    assert [one.name for one in Store(bucket.address("inbox")).list()] == ["a.csv", "late/b c%d.csv"]


def test_a_second_writer_is_told_and_so_is_one_whose_first_answer_was_lost_that_all_is_well(bucket: Bucket) -> None:
    store = Store(bucket.address("lake"))
    first = store.put("current.json", b"1", None)
    with pytest.raises(OvertakenError):
        store.put("current.json", b"2", None)
    second = store.put("current.json", b"2", first)
    with pytest.raises(OvertakenError):
        store.put("current.json", b"3", first)
    assert store.put("current.json", b"2", first) == second
    assert store.read("current.json") == (b"2", second)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (PermissionDeniedError("403"), r"s3://bucket/lake/x: the store refuses .see that the credentials in the environment are right and"),
        (GenericError("HTTP error: builder error"), r".*: HTTP error: builder error .an endpoint without TLS needs AWS_ALLOW_HTTP=true"),
        (GenericError("object with invalid path: a//b"), r".*: object with invalid path: a//b .rename that object"),
        (GenericError("no route\n\nDebug source: …"), r".*: the store does not answer as it should: no route .see to the network"),
    ],
)
def test_what_a_store_refuses_is_told_in_words(fault: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def get(self, *_: object) -> Never:
            raise fault

    monkeypatch.setattr(Store, "_store", Refusing())
    with pytest.raises(StoreError, match=said):
        Store(Address("s3", "bucket", "lake")).read("x")
