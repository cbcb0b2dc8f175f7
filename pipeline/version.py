"""Which code this is: the release and a digest of every file that decides what an audit says."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

_DECIDING: Final = (".py", ".sql", ".toml")


@cache
def code_version() -> str:
    """Like ``0.1.0+3f2a9c01d4e5``: two runs of the same version and inputs publish the same bytes."""
    digest = hashlib.sha256()
    for package in ("pipeline", "sql"):
        for name, content in sorted(_sources(files(package), package)):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return f"{version('resettle')}+{digest.hexdigest()[:12]}"


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(_DECIDING):
            yield f"{path}/{entry.name}", entry.read_bytes()
