"""Writing so that a kill or a power cut leaves either the old file or the new one, whole."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK: Final = 1 << 20


def narrow_permissions() -> None:
    """From here on this process creates nothing that others than its owner and group can read, or its group can write."""
    os.umask(os.umask(0o027) | 0o027)


def make_folder(folder: Path) -> None:
    """Makes a folder that its owner and group can read, and those above it."""
    if not folder.parent.exists():
        make_folder(folder.parent)
    folder.mkdir(mode=0o750, exist_ok=True)


def sync(path: Path) -> None:
    """Forces a file's bytes, or a folder's entries, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def move(source: Path, target: Path) -> None:
    """Moves a file whose bytes are on the disk to its place, in one step, and forces the folder to the disk."""
    make_folder(target.parent)
    source.replace(target)
    sync(target.parent)


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """A place beside a file or folder where the new one is made; it takes its place in one step when all went well, and else is removed.

    Args:
        target: the file or folder; its own folder must be there, or be made while the new one is.
    """
    part = target.with_name(f".{target.name}.part")
    _remove(part)
    try:
        yield part
        move(part, target)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)


def write(path: Path, content: bytes) -> None:
    """Writes a new file and forces it to the disk."""
    make_folder(path.parent)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640), "wb") as handle:
        handle.write(content)
        handle.flush()
        os.fsync(handle.fileno())


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
