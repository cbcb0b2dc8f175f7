"""What a user asks of an audit, with all that lies in object stores brought to this machine: what runs after that knows folders only.

Inputs are fetched into a private folder, under the names that they have in the store, so that the lake names them as it would had they
lain here. The folder is gone when the audit is done; one that a killed audit left goes with a later one. Of a lake, its working copy is
meant.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from pipeline.audit import Request
from pipeline.core.cache import cache_folder
from pipeline.core.errors import InputError
from pipeline.core.object_store import Address, OvertakenError, Store
from pipeline.lake import disk
from pipeline.lake.working_copy import working_copy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.core.object_store import Place

_HERE: Final = ("report", "sign", "pseudonymise")
"""What of a request is never fetched."""

_NO_NAME: Final = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG)
"""Where one object's name is a folder in another's, or too long."""

_HOUR: Final = 60 * 60


@contextmanager
def asked(*, lake: Place, **given: Any) -> Iterator[Request]:
    """The request, for as long as the audit runs.

    Args:
        lake: the lake to publish into.
        **given: the other fields of ``Request``, with an address wherever a file or folder of inputs may be named.

    Raises:
        InputError: nothing lies at an address, it was changed while it was fetched, or the report or a key were to lie in a store.
        StoreError: a store cannot be reached.
    """
    with ExitStack() as stack:
        folder: Path | None = None

        def here(one: Any) -> Any:
            nonlocal folder
            if not isinstance(one, Address):
                return one
            folder = folder or stack.enter_context(_private_folder())
            return fetched(one, folder)

        for name, value in given.items():
            if name in _HERE and isinstance(value, Address):
                raise InputError("lies in an object store, and this must be on this machine", str(value), f"name a path as {name}")
            given[name] = tuple(map(here, value)) if isinstance(value, tuple | list) else here(value)
        yield Request(lake=working_copy(lake) if isinstance(lake, Address) else lake, **given)


@contextmanager
def fetched_for_now(address: Address) -> Iterator[Path]:
    """A file or folder of a store on this machine, for a while."""
    with _private_folder() as folder:
        yield fetched(address, folder)


def fetched(address: Address, into: Path) -> Path:
    """Brings an object, or all those of a folder, some megabytes at a time.

    Args:
        address: where it lies.
        into: a folder; below it stand the store's, the bucket's and the object's names. What is there already is not brought again.

    Raises:
        InputError: nothing lies there, or it was changed meanwhile.
        StoreError: the store cannot be reached.
    """
    store, target = Store(address), into / address.scheme / address.bucket / address.key
    alone = store.about("") if address.key else None
    # Some tools stand an empty object in a folder's place.
    below = [] if alone is not None and alone.size else store.list()
    entries = below or ([alone] if alone is not None else [])
    if not entries:
        raise InputError("no such object or folder", str(address), "check the address")
    for entry in entries:
        path = target / entry.name
        if ".." in PurePosixPath(entry.name).parts:
            raise InputError("an object whose name leads out of the folder", f"{address}/{entry.name}", "rename it")
        try:
            if path.exists():
                continue
            disk.make_folder(path.parent)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
                handle.writelines(store.blocks(entry))
        except OvertakenError as changed:
            way_out = "run this again once the file is whole and nobody writes to it"
            raise InputError("changed while it was read", f"{address}/{entry.name}".rstrip("/"), way_out) from changed
        except OSError as error:
            if error.errno not in _NO_NAME:
                raise
            raise InputError("no file here can have its name", f"{address}/{entry.name}".rstrip("/"), "rename it in the store") from error
    return target


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder for this process, which holds a lock in it for as long as it lives; those of the dead are removed."""
    above = cache_folder() / "inputs"
    for left in above.glob("*"):
        with suppress(FileNotFoundError), _held(left) as is_left:
            if is_left and time.time() - left.stat().st_mtime > _HOUR:
                shutil.rmtree(left, ignore_errors=True)
    folder = above / uuid4().hex
    disk.make_folder(folder)
    with _held(folder):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Whether the folder could be taken for this process alone."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)
