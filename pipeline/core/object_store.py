"""Object stores: addresses, and the few things that are asked of a store. The one place that knows the library behind them.

Credentials, endpoint and time limits come from the variables that the library and each provider's own tools read (``AWS_ACCESS_KEY_ID``,
``AWS_ENDPOINT_URL``, ``GOOGLE_APPLICATION_CREDENTIALS``, ``AZURE_STORAGE_ACCOUNT_NAME`` …). The library is imported, and the network
reached for, only where an address was given.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from obstore import GetOptions, UpdateVersion
    from obstore.store import ObjectStore, RetryConfig

SCHEMES: Final = ("s3", "gs", "az")
RETRIES: Final[RetryConfig] = {"max_retries": 8}
"""How often a request is tried again; with the library's growing waits, for some forty seconds."""

_BLOCK: Final = 16 << 20
_ADDRESS: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_NO_BUCKET: Final = ("NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist")


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """Where something lies in an object store.

    Attributes:
        scheme: one of ``SCHEMES``.
        bucket: the bucket, or Azure's container.
        key: the object's, or the beginning that those of a folder share; no slash at either end.
    """

    scheme: str
    bucket: str
    key: str

    def __str__(self) -> str:
        """As it is written: ``s3://bucket/key``."""
        return f"{self.scheme}://{self.bucket}/{self.key}"


Place: TypeAlias = Path | Address
"""Where an input or a lake lies."""


def place(text: str) -> Place:
    """A path as such, and ``s3://bucket/key`` as an address.

    Raises:
        StoreError: it is an address of no store that is known here, or no whole one.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return Path(text)
    scheme, (bucket, _, key) = found[1].lower(), found[2].partition("/")
    way_out = f"write it like s3://bucket/folder; known are {', '.join(f'{one}://' for one in SCHEMES)}"
    if scheme not in SCHEMES:
        raise StoreError(f"{scheme}:// is no object store that is known here", text, way_out)
    key = key.strip("/")
    if not _BUCKET.fullmatch(bucket) or (key and any(part in {"", ".", ".."} for part in key.split("/"))) or not key.isprintable():
        raise StoreError("is no address in an object store", text, way_out)
    return Address(scheme, bucket, key)


@dataclass(frozen=True, slots=True)
class Version:
    """Which content of an object is meant, in the store's words."""

    e_tag: str | None = None
    version: str | None = None

    def fits(self, other: Version) -> bool:
        """It may be the same, as far as both say: a listing tells no version, and quotes or not, as the store likes."""
        tags = {(one.e_tag or "").strip('"') for one in (self, other)}
        return len(tags) == 1 and tags != {""} and len({self.version, other.version} - {None}) < 2


@dataclass(frozen=True, slots=True)
class Entry:
    """An object in a listing: its name below the store's address, its size in bytes and its version."""

    name: str
    size: int
    version: Version


class OvertakenError(Exception):
    """The object is no longer, or not yet, what the writer took it for."""


class Store:
    """What lies below an address. Names are relative to it; ``""`` is the object of that very address.

    Every method raises ``StoreError`` where the store cannot be reached, refuses, or has no such bucket.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._made: ObjectStore | None = None

    def read(self, name: str) -> tuple[bytes, Version] | None:
        """A small object whole; None where there is none."""
        with self._in_words(name):
            try:
                got = self._store.get(self._key(name))
                return bytes(got.bytes()), _version(got.meta)
            except FileNotFoundError as none:
                self._refuse_no_bucket(name, none)
                return None

    def about(self, name: str) -> Entry | None:
        """Size and version of an object; None where there is none."""
        with self._in_words(name):
            try:
                told = self._store.head(self._key(name))
            except FileNotFoundError as none:
                self._refuse_no_bucket(name, none)
                return None
            return Entry(name, told["size"], _version(told))

    def blocks(self, entry: Entry) -> Iterator[bytes]:
        """The bytes of an object, some megabytes at a time.

        Raises:
            OvertakenError: it was changed meanwhile.
        """
        from obstore.exceptions import PreconditionError  # noqa: PLC0415

        for start in range(0, entry.size, _BLOCK):
            with self._in_words(entry.name):
                wanted: GetOptions = {"range": (start, min(start + _BLOCK, entry.size))}
                if entry.version.e_tag is not None:
                    wanted["if_match"] = entry.version.e_tag
                try:
                    got = self._store.get(self._key(entry.name), options=wanted)
                except (PreconditionError, FileNotFoundError) as changed:
                    raise OvertakenError from changed
                yield bytes(got.bytes())

    def list(self, folder: str = "") -> list[Entry]:
        """The objects below a folder, in the order of their names; empty ones that only stand for a folder are left out."""
        key = self._key(folder)
        with self._in_words(folder):
            found = [told for batch in self._store.list(key or None) for told in batch]
        start = len(self.address.key) + 1 if self.address.key else 0
        entries = [Entry(told["path"][start:], told["size"], _version(told)) for told in found]
        folders = {"", folder, *(str(above) for one in entries for above in PurePosixPath(one.name).parents)}
        return sorted((one for one in entries if one.size or one.name not in folders), key=lambda one: one.name)

    def put(self, name: str, content: bytes, seen: Version | None) -> Version:
        """Writes a small object, if it is still what was seen of it.

        Args:
            name: the object.
            content: its bytes.
            seen: what it was when it was read; None: there was none.

        Raises:
            OvertakenError: it is something else now.
        """
        from obstore.exceptions import AlreadyExistsError, PreconditionError  # noqa: PLC0415

        with self._in_words(name):
            try:
                told = self._store.put(self._key(name), content, mode="create" if seen is None else _update(seen))
            except (AlreadyExistsError, PreconditionError) as other:
                # Where the first answer was lost on its way, a second try finds what the first has written.
                if (now := self.read(name)) is not None and now[0] == content:
                    return now[1]
                raise OvertakenError from other
            return Version(told["e_tag"], told["version"])

    def keep(self, name: str, content: bytes | Path) -> None:
        """Writes an object that is named by its content, if it is not there yet; a file in several parts, at some megabytes of memory."""
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        if (there := self.about(name)) is not None and there.size == size:
            return
        with self._in_words(name):
            self._store.put(self._key(name), content)

    @property
    def _store(self) -> ObjectStore:
        if self._made is None:
            from obstore.store import from_url  # noqa: PLC0415  (a plain command needs none of it)

            self._made = from_url(f"{self.address.scheme}://{self.address.bucket}", retry_config=RETRIES)
        return self._made

    def _key(self, name: str) -> str:
        return "/".join(part for part in (self.address.key, name) if part)

    def _where(self, name: str) -> str:
        return str(Address(self.address.scheme, self.address.bucket, self._key(name)))

    def _refuse_no_bucket(self, name: str, failed: Exception) -> None:
        if any(words in str(failed) for words in _NO_BUCKET):
            raise StoreError("there is no such bucket", self._where(name), "make it, or check the address") from failed

    @contextmanager
    def _in_words(self, name: str) -> Iterator[None]:
        from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError  # noqa: PLC0415

        try:
            yield
        except (PermissionDeniedError, UnauthenticatedError) as refused:
            way_out = "see that the credentials in the environment are right and may read, write and list there"
            raise StoreError("the store refuses", self._where(name), way_out) from refused
        except FileNotFoundError as none:
            self._refuse_no_bucket(name, none)
            raise
        except BaseError as failed:
            self._refuse_no_bucket(name, failed)
            said = str(failed).partition("\n")[0].strip()
            raise StoreError(f"the store does not answer as it should: {said}", self._where(name), _way_out(said)) from failed


def _way_out(said: str) -> str:
    if "builder error" in said:
        return "an endpoint without TLS needs AWS_ALLOW_HTTP=true in the environment"
    if "invalid path" in said:
        return "rename that object, or name another folder"
    return "see to the network, the endpoint and the credentials in the environment, and run this again"


def _version(told: object) -> Version:
    return Version(told["e_tag"], told["version"])  # type: ignore[index]


def _update(seen: Version) -> UpdateVersion:
    told: UpdateVersion = {}
    if seen.e_tag is not None:
        told["e_tag"] = seen.e_tag
    if seen.version is not None:
        told["version"] = seen.version
    return told
