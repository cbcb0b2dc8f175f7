"""The working copy of a lake in an object store, on this machine.

It is a lake's folder with ``origin.json`` in it, which says of which lake. It is made current before anything is written, and what was
published is brought when it is wanted. All in it but what a run has not yet published lies in the store, too: it can be thrown away.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from pipeline.core.cache import cache_folder
from pipeline.core.errors import LakeError
from pipeline.lake import disk
from pipeline.lake.layout import FETCHING, ORIGIN, STAGING
from pipeline.lake.origin import Origin, Seen

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.core.object_store import Address
    from pipeline.lake.facts import TableFacts


def working_copy(address: Address) -> Path:
    """The folder of a lake's working copy on this machine; made where there is none."""
    name = f"{address.bucket}-{hashlib.sha256(str(address).encode()).hexdigest()[:16]}"
    root = (cache_folder() / "lakes" / name).resolve()
    if not (root / ORIGIN).exists():
        part = root / FETCHING / uuid4().hex
        disk.write(part, msgspec.json.encode(Seen(address, str(root))))
        disk.move(part, root / ORIGIN)
    return root


def origin_of(root: Path) -> Origin | None:
    """The lake in a store that a folder is the working copy of; None where it is a lake of its own.

    Raises:
        LakeError: the folder was moved or copied, so that it is neither.
    """
    if not (root / ORIGIN).exists():
        return None
    try:
        seen = msgspec.json.decode((root / ORIGIN).read_bytes(), type=Seen)
    except msgspec.DecodeError as error:
        raise LakeError(f"cannot be read: {error}", str(root / ORIGIN), "remove the folder: the store has all that it holds") from error
    if seen.folder != str(root):
        raise LakeError(
            f"was a working copy of {seen.address} in {seen.folder}",
            str(root),
            f"name {seen.address} itself; remove this folder where it is in the way",
        )
    return Origin(root, seen)


def brought(root: Path, facts: TableFacts) -> Path:
    """Where a published file lies that has rows; one of a lake in a store is fetched where it is not here yet."""
    path = root / str(facts.file)
    if not path.exists() and (origin := origin_of(root)) is not None:
        origin.fetch([facts])
    return path


def write_beside(root: Path, file: str, content: bytes) -> None:
    """Writes a file of those beside the tables anew, in one step; of a lake in a store, there first. The caller alone writes to the lake.

    Raises:
        LakeError: somebody else has written to it in the store meanwhile.
    """
    staged = root / STAGING / file
    disk.write(staged, content)
    if (origin := origin_of(root)) is not None:
        origin.put(file, content)
    disk.move(staged, root / file)
    if origin is not None:
        origin.remember()
