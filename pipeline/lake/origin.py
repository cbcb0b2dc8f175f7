"""A lake in an object store.

A published file and a record of the chain are named there by their content as well: two runs never write to the same name, and what a
killed or beaten run left harms nobody. What is current is ``current.json`` alone, written only where it is still what the run built on. So
is each file that lines are added to.
"""

from __future__ import annotations

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import msgspec

from pipeline.core.errors import LakeError, StoreError
from pipeline.core.object_store import Address, OvertakenError, Store, Version
from pipeline.lake import disk, manifest
from pipeline.lake.layout import (
    AUDIT_DB,
    CURRENT,
    FETCHING,
    FOLLOW_UPS,
    MANIFESTS,
    NOTICES,
    ORIGIN,
    REMEDIES,
    RUNS,
    SIGNATURES,
    STAGING,
    manifest_file,
    run_file,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pipeline.lake.facts import TableFacts

_ADDED_TO: Final = (REMEDIES, FOLLOW_UPS, NOTICES)
_BESIDE: Final = (*(file.partition("/")[0] for file in _ADDED_TO), SIGNATURES)
"""Folders of the files that are written again, each under a condition of its own."""

_BRING_BACK: Final = "bring it back, where the store keeps earlier versions"
_AT_ONCE: Final = 8
_DAY: Final = 24 * 60 * 60
_AGAIN: Final = "nothing was published; run this again, and it builds on what stands there now"


class Seen(msgspec.Struct):
    """``origin.json`` in a working copy: of which lake it is one, where it was made, and what of each file was seen last."""

    address: Address
    folder: str
    files: dict[str, Version] = {}


class Origin:
    """The lake in the store, seen from its working copy.

    Attributes:
        address: where it lies.
    """

    def __init__(self, root: Path, seen: Seen) -> None:
        self.address = seen.address
        self._root = root
        self._seen = seen
        self._store = Store(seen.address)

    def is_behind(self) -> bool:
        """The store shows something else than this copy."""
        found = self._store.read(CURRENT)
        return (found[0] if found else None) != self._here() or any(True for _ in self._changed_beside())

    def pull(self) -> None:
        """Makes the copy current, but for published files, which are brought when they are wanted. The caller alone writes to it.

        Raises:
            LakeError: the store shows an earlier state than was seen here, or another lake; or what it holds was changed.
        """
        found, here = self._store.read(CURRENT), self._here()
        if found is None and here is not None:
            raise self._put_back("there is no lake here any more")
        if found is not None and found[0] != here:
            where = f"{self.address}/{CURRENT}"
            state = manifest.decode(found[0], manifest.State, where)
            self._pull_chain(state, None if here is None else manifest.decode(here, manifest.State, str(self._root / CURRENT)))
            self._write(CURRENT, found[0])
        if found is not None:
            self._seen.files[CURRENT] = found[1]
        for name in list(self._changed_beside()):
            self._pull_beside(name)
        self.remember()
        for left in (self._root / FETCHING).glob("*"):
            if time.time() - left.stat().st_mtime > _DAY:
                left.unlink(missing_ok=True)

    def publish(self, new: manifest.Manifest, state: manifest.State) -> None:
        """Uploads a publish and then, in one step, makes it what is current there.

        Raises:
            LakeError: another run published first.
            StoreError: the store cannot be reached; where the last step was not answered, says that nobody knows.
        """
        tables = [facts for part in new.partitions for facts in part.tables.values()] + list(new.delivery.values())
        named = {_by_content(str(facts.file), str(facts.sha256)): self._root / str(facts.file) for facts in tables if facts.file}
        named |= {
            _record(MANIFESTS, new.number, state.manifest_sha256): self._root / manifest_file(new.number, new.run_id),
            _record(RUNS, new.number, state.run_sha256): self._root / run_file(new.number, new.run_id),
        }
        _side_by_side(self._store.keep, named.items())
        try:
            self.put(CURRENT, manifest.encode(state))
            self.remember()
        except StoreError as lost:
            way_out = "it may have been published all the same: run this again, and it says so"
            raise StoreError(f"no answer to the last step of publishing: {lost.what}", str(self.address), way_out) from lost

    def put(self, file: str, content: bytes) -> None:
        """Writes a file that is written again, where it is still what was seen of it; ``remember`` it once it stands here, too.

        Raises:
            LakeError: it is something else now.
        """
        try:
            self._seen.files[file] = self._store.put(file, content, self._seen.files.get(file))
        except OvertakenError as overtaken:
            if file == CURRENT:
                raise LakeError(f"another run published there meanwhile{self._by_whom()}", str(self.address), _AGAIN) from overtaken
            raise LakeError("somebody else wrote to it meanwhile", f"{self.address}/{file}", "run this again") from overtaken

    def remember(self) -> None:
        """Keeps what was seen of each file: not before it stands here, or what it was before would pass for it."""
        self._write(ORIGIN, msgspec.json.encode(self._seen))

    def fetch(self, tables: Iterable[TableFacts]) -> None:
        """Brings published files that are not here yet.

        Raises:
            LakeError: one is missing in the store, or was changed there.
        """
        _side_by_side(self._fetch, ((one,) for one in tables if one.file and not (self._root / one.file).exists()))

    def check(self, manifests: Iterable[manifest.Manifest]) -> None:
        """Reads all that was ever published from the store, and compares it with the chain; keeps nothing.

        Raises:
            LakeError: names something that does not fit.
        """
        state = manifest.read_state(self._root)
        if state is not None:
            for _ in self._chain(state, 0):
                pass
        tables = [facts for one in manifests for part in one.partitions for facts in part.tables.values()]
        tables += [facts for one in manifests for facts in one.delivery.values()]
        _side_by_side(lambda facts: [None for _ in self._read(facts)], ((one,) for one in tables if one.file))

    def _here(self) -> bytes | None:
        path = self._root / CURRENT
        return path.read_bytes() if path.exists() else None

    def _changed_beside(self) -> Iterator[str]:
        """The files beside the tables that are not as they were seen, those included that are gone."""
        left = set(self._seen.files) - {CURRENT}
        for folder in _BESIDE:
            for one in self._store.list(folder):
                left.discard(one.name)
                seen = self._seen.files.get(one.name)
                if seen is None or not seen.fits(one.version) or not self._path(one.name).exists():
                    yield one.name
        yield from sorted(left)

    def _pull_beside(self, name: str) -> None:
        told, path = self._store.read(name), self._path(name)
        if told is None:
            raise self._put_back(f"has no {name} any more")
        if name in _ADDED_TO and path.exists() and not told[0].startswith(path.read_bytes()):
            raise self._put_back(f"shows less in {name}, or something else, than was seen here")
        # Its views may say otherwise now: it is made anew when it is wanted.
        (self._root / AUDIT_DB).unlink(missing_ok=True)
        self._write(name, told[0])
        self._seen.files[name] = told[1]

    def _pull_chain(self, state: manifest.State, here: manifest.State | None) -> None:
        """The records of the publishes after the one that is here; they must lead to it."""
        if here is not None and state.number < here.number:
            raise self._put_back(f"shows publish {state.number}, and publish {here.number} was seen here")
        first = here.number if here is not None else 0
        before: tuple[str | None, str | None] = (state.manifest_sha256, state.run_sha256)
        for one, text, record, told in self._chain(state, first):
            self._write(manifest_file(one.number, one.run_id), text)
            self._write(run_file(one.number, one.run_id), told)
            before = (one.previous, record.previous)
        if before != ((here.manifest_sha256, here.run_sha256) if here is not None else (None, None)):
            raise self._put_back(f"does not follow on publish {first}, which was seen here" if first else "its chain has no beginning")

    def _chain(self, state: manifest.State, first: int) -> Iterator[tuple[manifest.Manifest, bytes, manifest.RunRecord, bytes]]:
        """Each publish after ``first``, the latest first: manifest, its bytes, run record, its bytes."""
        wanted: tuple[str | None, str | None] = (state.manifest_sha256, state.run_sha256)
        for number in range(state.number, first, -1):
            text, told = self._record_of(MANIFESTS, number, wanted[0]), self._record_of(RUNS, number, wanted[1])
            one = manifest.decode(text, manifest.Manifest, f"{self.address}/{MANIFESTS}")
            record = manifest.decode(told, manifest.RunRecord, f"{self.address}/{RUNS}")
            if one.number != number:
                raise self._changed(_record(MANIFESTS, number, str(wanted[0])))
            yield one, text, record, told
            wanted = (one.previous, record.previous)

    def _record_of(self, folder: str, number: int, sha256: str | None) -> bytes:
        name = _record(folder, number, str(sha256))
        found = self._store.read(name)
        if found is None:
            raise LakeError("is missing", f"{self.address}/{name}", _BRING_BACK)
        if manifest.digest(found[0]) != sha256:
            raise self._changed(name)
        return found[0]

    def _fetch(self, facts: TableFacts) -> None:
        part, target = self._root / FETCHING / uuid4().hex, self._path(str(facts.file))
        disk.make_folder(part.parent)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640), "wb") as handle:
                for block in self._read(facts):
                    handle.write(block)
                handle.flush()
                os.fsync(handle.fileno())
            disk.move(part, target)
        finally:
            part.unlink(missing_ok=True)

    def _read(self, facts: TableFacts) -> Iterator[bytes]:
        """The bytes of a published file, which in the end prove to be what was published."""
        name, digest = _by_content(str(facts.file), str(facts.sha256)), hashlib.sha256()
        entry = self._store.about(name)
        if entry is None:
            raise LakeError("is missing", f"{self.address}/{name}", _BRING_BACK)
        try:
            for block in self._store.blocks(entry):
                digest.update(block)
                yield block
        except OvertakenError as changed:
            raise self._changed(name) from changed
        if digest.hexdigest() != facts.sha256:
            raise self._changed(name)

    def _write(self, file: str, content: bytes) -> None:
        target = self._path(file)
        disk.write(self._root / STAGING / file, content)
        disk.move(self._root / STAGING / file, target)

    def _path(self, file: str) -> Path:
        """Where a file lies here: what the store says is never let out of the folder."""
        if ".." in PurePosixPath(file).parts or PurePosixPath(file).is_absolute():
            raise LakeError(f"names a file outside of the lake, {file}", str(self.address), _BRING_BACK)
        return self._root / file

    def _by_whom(self) -> str:
        found = self._store.read(CURRENT)
        state = None if found is None else manifest.decode(found[0], manifest.State, f"{self.address}/{CURRENT}")
        return f" (publish {state.number}, run {state.run_id})" if state else ""

    def _changed(self, name: str) -> LakeError:
        return LakeError("was changed after it was published", f"{self.address}/{name}", _BRING_BACK)

    def _put_back(self, what: str) -> LakeError:
        way_out = f"bring it back there; or, where this is meant, remove the working copy {self._root}"
        return LakeError(what, str(self.address), way_out)


def _record(folder: str, number: int, sha256: str) -> str:
    return f"{folder}/{number:06d}-{sha256}.json"


def _by_content(file: str, sha256: str) -> str:
    path = PurePosixPath(file)
    return str(path.with_name(f"{path.stem}-{sha256}{path.suffix}"))


def _side_by_side(work: Callable[..., object], arguments: Iterable[tuple[object, ...]]) -> None:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for _ in pool.map(lambda one: work(*one), arguments):
            pass
