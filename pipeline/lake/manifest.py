"""The chain: what each publish holds, how they follow on one another, and what is current after them."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from pipeline.core.errors import LakeError
from pipeline.lake.facts import InputFacts, PartitionFacts, TableFacts
from pipeline.lake.layout import CURRENT, manifest_file, run_file

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST_SCHEMA: Final = "resettle-manifest/1"
RUN_SCHEMA: Final = "resettle-run/1"
STATE_SCHEMA: Final = "resettle-lake/1"


class Key(msgspec.Struct, frozen=True, order=True):
    """A partition and the publish that its files came with."""

    studio_id: str
    gaming_day: date
    number: int


class Manifest(msgspec.Struct, frozen=True):
    """A publish: the same on every machine that publishes the same in the same order.

    Attributes:
        number: of the publish in this lake, from 1.
        previous: SHA-256 of the manifest before it; null for the first.
        run_id: the run.
        code_version, versions: this program's, and those of what decides the bytes.
        filings_fingerprint, checks_fingerprint: what it rested on.
        gaming_day: the only day that was asked for; null: every one.
        options: what else decided the run: digests of the profile, the roster and the control totals, and limits that were set.
        inputs: the files that were read.
        schemas: table to its columns as ``name TYPE``, as these files hold them.
        partitions: the studios and gaming days published.
        delivery: the tables that belong to no day.
        withdrawn: what was current before and is no longer, since this run read the same files again and dates them otherwise.
        untrusted: why the results are not to be trusted; empty where they are.
        retried: only lines that lay in quarantine were read, of the files in ``inputs``.
        key_fingerprint: of the key of the pseudonyms that stand in place of player ids; null: these stand as delivered.
    """

    number: int
    run_id: str
    code_version: str
    versions: dict[str, str]
    filings_fingerprint: str
    checks_fingerprint: str
    inputs: list[InputFacts]
    schemas: dict[str, list[str]]
    partitions: list[PartitionFacts]
    delivery: dict[str, TableFacts]
    withdrawn: list[Key]
    untrusted: list[str]
    gaming_day: date | None = None
    options: dict[str, str] = {}
    retried: bool = False
    key_fingerprint: str | None = None
    previous: str | None = None
    schema: str = MANIFEST_SCHEMA


class RunRecord(msgspec.Struct, frozen=True):
    """Clock, host and command of a publish. The records are a chain too, and name their manifests.

    ``beside`` is the digest of the last line of each file beside the tables that held something then (``appended.heads``).
    """

    number: int
    run_id: str
    manifest_sha256: str
    started_at: datetime
    finished_at: datetime
    host: str
    command: str
    python_version: str
    beside: dict[str, str] = {}
    previous: str | None = None
    schema: str = RUN_SCHEMA


class State(msgspec.Struct, frozen=True):
    """What is current: ``current.json``.

    Attributes:
        number: the latest publish.
        run_id: its run.
        manifest_sha256: of its manifest: the head of the chain of content.
        run_sha256: of its run record: the head over everything, clock and host included.
        partitions: what is current, sorted.
        deliveries: numbers of the publishes whose delivery tables are current.
    """

    number: int
    run_id: str
    manifest_sha256: str
    run_sha256: str
    partitions: list[Key]
    deliveries: list[int]
    schema: str = STATE_SCHEMA


_Document = TypeVar("_Document", Manifest, RunRecord, State)


def encode(document: Manifest | RunRecord | State) -> bytes:
    """The document as JSON, always in the same bytes."""
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=1) + b"\n"


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def decode(content: bytes, kind: type[_Document], where: str) -> _Document:
    """Reads a document.

    Raises:
        LakeError: it is not one.
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LakeError(f"cannot be read: {error}", where, "restore the file, or check the lake with: resettle verify") from error


def read(path: Path, kind: type[_Document]) -> _Document:
    """Reads a document of the lake.

    Raises:
        LakeError: it is not there, or is not one.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise LakeError("is missing", str(path), "restore the file, or check the lake with: resettle verify") from error
    return decode(content, kind, str(path))


def read_state(root: Path) -> State | None:
    """What is current in a lake; None where nothing was published yet.

    Raises:
        LakeError: ``current.json`` cannot be read.
    """
    path = root / CURRENT
    return read(path, State) if path.exists() else None


def read_run(root: Path, number: int, run_id: str) -> RunRecord:
    """The run record of a publish."""
    return read(root / run_file(number, run_id), RunRecord)


def chain(root: Path, state: State | None) -> list[Manifest]:
    """The manifests up to the current one, oldest first.

    Raises:
        LakeError: one is missing or unreadable.
    """
    if state is None:
        return []
    found = {}
    for path in (root / manifest_file(1, "")).parent.glob("*.json"):
        number = path.name.split("-", 1)[0]
        if number.isdecimal() and int(number) <= state.number:
            found[int(number)] = path
    missing = [number for number in range(1, state.number + 1) if number not in found]
    if missing:
        where = str(root / manifest_file(missing[0], "*"))
        raise LakeError("a manifest of the chain is missing", where, "restore the folder manifests from a copy")
    return [_read_once(found[number], (about := found[number].stat()).st_mtime_ns, about.st_size) for number in range(1, state.number + 1)]


@lru_cache(maxsize=4096)
def _read_once(path: Path, changed: int, size: int) -> Manifest:
    """A manifest is written once and never changed: within one run it is decoded once."""
    del changed, size
    return read(path, Manifest)


def after(before: State | None, manifests: dict[int, Manifest], manifest: Manifest, manifest_sha256: str, run_sha256: str) -> State:
    """What is current once a manifest is published.

    A delivery's own tables stay current until one later publish has read all of its files again.

    Args:
        before: what was current.
        manifests: the earlier manifests by number, at least those of current deliveries.
        manifest: the new one.
        manifest_sha256: its digest.
        run_sha256: the digest of its run record.
    """
    replaced = by_day(manifest)
    kept = [key for key in (before.partitions if before else []) if (key.studio_id, key.gaming_day) not in replaced]
    partitions = [key for key in kept if key not in set(manifest.withdrawn)]
    partitions += [Key(facts.studio_id, facts.gaming_day, manifest.number) for facts in manifest.partitions]
    read_now = inputs_of(manifest)
    deliveries = [number for number in (before.deliveries if before else []) if not inputs_of(manifests[number]) <= read_now]
    return State(manifest.number, manifest.run_id, manifest_sha256, run_sha256, sorted(partitions), [*deliveries, manifest.number])


def inputs_of(manifest: Manifest) -> set[tuple[str, str]]:
    """Name and digest of the files that a publish read."""
    return {(entry.source_file, entry.sha256) for entry in manifest.inputs}


def read_again(state: State, manifests: dict[int, Manifest]) -> list[tuple[str, str]]:
    """Run and name of each file in a current delivery that a later current delivery read again: its rows there stand for both."""
    seen: set[tuple[str, str]] = set()
    found = []
    for number in reversed(state.deliveries):
        found += [(manifests[number].run_id, name) for name, _ in sorted(inputs_of(manifests[number]) & seen)]
        seen |= inputs_of(manifests[number])
    return found


def withdrawals(before: State | None, manifests: dict[int, Manifest], new: Manifest) -> list[Key]:
    """The partitions that a run takes out of the lake: it read all files that their rounds come from again, and published none of it.

    Their rounds are now dated otherwise (another filing, another zone); left in place, they would stand twice. A run that was
    asked for one day only withdraws nothing of another day, and one that read lines of the quarantine again nothing at all.
    """
    if new.retried:
        return []
    parts = {number: by_day(one) for number, one in manifests.items()}
    published = by_day(new)
    known = {entry for one in manifests.values() for entry in inputs_of(one)}
    read_now = {name for name, _ in inputs_of(new) & known}
    return [
        key
        for key in (before.partitions if before else [])
        if (key.studio_id, key.gaming_day) not in published
        and new.gaming_day in {None, key.gaming_day}
        and set(parts[key.number][key.studio_id, key.gaming_day].source_files) <= read_now
    ]


def state_at(root: Path, manifests: list[Manifest], when: datetime) -> State | None:
    """What was current at a time, from the chain: after the last publish that was finished then; None before the first.

    Args:
        root: the lake.
        manifests: the chain, oldest first.
        when: the time, with its zone.

    Raises:
        LakeError: a record of the chain is missing or unreadable.
    """
    records = [read_run(root, one.number, one.run_id) for one in manifests]
    last = max((record.number for record in records if record.finished_at <= when), default=0)
    state: State | None = None
    before: dict[int, Manifest] = {}
    for one, record in zip(manifests[:last], records, strict=False):
        told = (root / run_file(one.number, one.run_id)).read_bytes()
        state = after(state, before, one, record.manifest_sha256, digest(told))
        before[one.number] = one
    return state


def by_day(manifest: Manifest) -> dict[tuple[str, date], PartitionFacts]:
    """A publish's partitions by studio and gaming day."""
    return {(facts.studio_id, facts.gaming_day): facts for facts in manifest.partitions}
