"""A server in this process that speaks as S3 does, and machines that share what lies in it."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen
from uuid import uuid4

from pipeline.core import object_store
from pipeline.core.object_store import Address, Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    from moto.server import ThreadedMotoServer  # noqa: PLC0415  (a second that most tests can do without)

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@dataclass(frozen=True)
class Bucket:
    """A new bucket, and machines that reach it: each has a cache of its own.

    Attributes:
        name: the bucket's.
        endpoint: the server's address.
        folder: where the machines' caches lie.
    """

    name: str
    endpoint: str
    folder: Path
    patch: pytest.MonkeyPatch

    @classmethod
    def made(cls, endpoint: str, folder: Path, patch: pytest.MonkeyPatch) -> Bucket:
        bucket = cls(f"bucket-{uuid4().hex[:12]}", endpoint, folder, patch)
        bucket.request("PUT", "")
        reach = {"ENDPOINT_URL": endpoint, "ALLOW_HTTP": "true", "REGION": "us-east-1", "ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": "word"}
        for name, value in reach.items():
            patch.setenv(f"AWS_{name}", value)
        patch.setattr(object_store, "RETRIES", {"max_retries": 0})
        bucket.machine("one")
        return bucket

    def request(self, method: str, rest: str, content: bytes = b"") -> None:
        """A request as it goes over the wire, to what follows the bucket's name."""
        headers = {"Content-Type": "application/xml"}
        asked = Request(f"{self.endpoint}/{self.name}{rest}", data=content, method=method, headers=headers)  # noqa: S310
        with urlopen(asked):  # noqa: S310
            pass

    def machine(self, name: str) -> None:
        """From here on this is another machine, or that one again."""
        self.patch.setenv("RESETTLE_CACHE", str(self.folder / name))

    def address(self, key: str) -> Address:
        return Address("s3", self.name, key)

    def put(self, key: str, content: bytes | Path) -> Address:
        """An object, or with a folder all files in it."""
        store = Store(self.address(key))
        if isinstance(content, bytes):
            store.keep("", content)
        else:
            for path in content.rglob("*"):
                if path.is_file():
                    store.keep(path.relative_to(content).as_posix(), path)
        return store.address

    def spoil(self, key: str, now: bytes | None) -> None:
        """An object written over, or removed, as by someone who goes round this program."""
        store = Store(self.address(""))._store
        if now is None:
            store.delete(key)
        else:
            store.put(key, now)

    def objects(self, key: str) -> dict[str, bytes]:
        """Everything below a key, by name."""
        store = Store(self.address(key))
        return {entry.name: b"".join(store.blocks(entry)) for entry in store.list()}
