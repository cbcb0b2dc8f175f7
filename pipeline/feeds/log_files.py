"""Which files a delivery consists of, and the name under which each stands in the lake."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIXES: Final = (".ndjson", ".ndjson.gz", ".ndjson.zst")


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file of a delivery.

    Args:
        path: where it lies.
        name: what it is called in ``source_file``: its path within the folder that was named, never an absolute one.
    """

    path: Path
    name: str


def sha256_of(path: Path) -> str:
    """The file's SHA-256 in hexadecimal.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path), "check the path and who may read it") from error


def log_files(paths: Sequence[Path], suffixes: Sequence[str] = SUFFIXES) -> list[LogFile]:
    """The log files under ``paths``, each once, in the order of their names.

    A folder gives every file in it and below with one of ``suffixes``; a link that leads out of the folder is not followed.

    Raises:
        InputError: a path does not exist, is no log, or is a folder without one.
    """
    found: dict[Path, tuple[Path, str]] = {}
    for path in paths:
        for file, name in _under(path, suffixes):
            found.setdefault(file.resolve(), (file, name))
    return sorted(_distinct(list(found.values())), key=lambda file: file.name)


def _under(path: Path, suffixes: Sequence[str]) -> Iterator[tuple[Path, str]]:
    if path.is_file():
        if not path.name.lower().endswith((*suffixes, ".gz", ".zst")):
            raise InputError("not a round log", path.name, f"its name must end in {', '.join(suffixes)}")
        yield path, path.name
        return
    if not path.is_dir():
        raise InputError("no such file or folder", str(path), "check the path")
    empty = True
    root = path.resolve()
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if name.lower().endswith(tuple(suffixes)) and file.is_file() and file.resolve().is_relative_to(root):
                empty = False
                yield file, file.relative_to(path).as_posix()
    if empty:
        raise InputError("no round log in this folder", str(path), f"names must end in {', '.join(suffixes)}")


def _distinct(files: list[tuple[Path, str]]) -> list[LogFile]:
    """Puts as many parent folders before a name as it takes to tell two files apart."""
    named = [LogFile(path, name) for path, name in files]
    depth = 0
    while True:
        shared = {name for name, times in Counter(file.name for file in named).items() if times > 1}
        if not shared:
            return named
        depth += 1
        named = [
            LogFile(file.path, "/".join(file.path.resolve().parts[-(name.count("/") + 1 + depth) :])) if file.name in shared else file
            for file, (_, name) in zip(named, files, strict=True)
        ]
