"""Files beside the published tables that are only ever added to.

Each line names the digest of the line before it, so that none can be changed or taken out unseen; what is added comes in one step.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import msgspec

from pipeline.core.errors import LakeError
from pipeline.lake.layout import FOLLOW_UPS, NOTICES, REMEDIES
from pipeline.lake.working_copy import write_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipeline.lake.publish import Writing

ADDED_TO: Final = (REMEDIES, FOLLOW_UPS, NOTICES)
"""Every such file."""

_RESTORE: Final = "restore the file from a copy"


class Appended(Protocol):
    """A line: a struct whose ``previous`` is the SHA-256 of the line before it, null for the first."""

    @property
    def previous(self) -> str | None:
        """SHA-256 of the line before."""


Line = TypeVar("Line", bound=Appended)


def read(path: Path, kind: type[Line]) -> list[Line]:
    """Everything recorded, in order; nothing where there is no such file.

    Raises:
        LakeError: the file was changed, or a line taken out of it.
    """
    return _linked(path, kind)[0]


def chained(path: Path) -> list[str]:
    """SHA-256 of each line, in order, of a file of any kind; nothing where there is no such file.

    Raises:
        LakeError: the file was changed, or a line taken out of it.
    """
    return _linked(path, _AnyLine)[1]


def heads(root: Path) -> dict[str, str]:
    """Each file of the lake that is only added to, and holds something, to the digest of its last line."""
    return {file: last[-1] for file in ADDED_TO if (last := chained(root / file))}


class _AnyLine(msgspec.Struct, frozen=True):
    previous: str | None = None


def _linked(path: Path, kind: type[Line]) -> tuple[list[Line], list[str]]:
    found: list[Line] = []
    known: list[str] = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else (), 1):
        try:
            one = msgspec.json.decode(line, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LakeError(f"cannot be read: {error}", f"{path}:{number}", _RESTORE) from error
        again = line if kind is _AnyLine else msgspec.json.encode(one)
        if one.previous != (known[-1] if known else None) or again != line:
            raise LakeError("was changed after it was recorded, or the line before it was", f"{path}:{number}", _RESTORE)
        known.append(hashlib.sha256(line).hexdigest())
        found.append(one)
    return found, known


def digests(lines: Sequence[Any]) -> list[str]:
    """SHA-256 of each line, in order: each stands for all before it."""
    return [hashlib.sha256(msgspec.json.encode(one)).hexdigest() for one in lines]


def add(opened: Writing, file: str, before: Sequence[Line], new: Sequence[Any]) -> None:
    """Adds lines, each linked to the one before it.

    Args:
        opened: the lake.
        file: the file's path in it.
        before: what it holds, as ``read`` gave it.
        new: structs of the same kind; their ``previous`` is set here.

    Raises:
        LakeError: somebody else added to it meanwhile, where the lake lies in a store.
    """
    lines = [msgspec.json.encode(one) for one in before]
    for one in new:
        last = hashlib.sha256(lines[-1]).hexdigest() if lines else None
        lines.append(msgspec.json.encode(msgspec.structs.replace(one, previous=last)))
    write_beside(opened.root, file, b"".join(line + b"\n" for line in lines))
