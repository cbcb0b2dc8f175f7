"""Walking a lake's chain, its files and its catalogue, up to the first thing that does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from pipeline.core.errors import LakeError
from pipeline.lake import appended, catalogue, disk, manifest, signature
from pipeline.lake.layout import AUDIT_DB, CURRENT, checked_root, manifest_file, run_file
from pipeline.lake.scan import CONFIG
from pipeline.lake.sweep import refuse_cut_back
from pipeline.lake.working_copy import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.lake.facts import TableFacts

_RESTORE = "restore it from a copy, or audit the deliveries again into a new folder"


@dataclass(frozen=True, slots=True)
class Verified:
    """A lake in which everything fits.

    Attributes:
        publishes: manifests walked.
        partitions: partitions that are current.
        files: data files read, current and replaced ones.
        bytes: their size.
        manifest_sha256: head of the chain of content: the same wherever the same was published in the same order.
        run_sha256: head of the chain of run records, over everything.
        signed_by: public key, in hexadecimal, of who signed what is current; None where it is not signed.
        beside: file to the digest of its last line, of those beside the tables that are only added to and hold something.
        strays: files that no manifest names: what a killed run left, or what someone put there. No view shows them.
    """

    publishes: int
    partitions: int
    files: int
    bytes: int
    manifest_sha256: str
    run_sha256: str
    signed_by: str | None
    beside: dict[str, str]
    strays: tuple[str, ...]


def verify(lake: Path, head: str | None = None, signer: str | None = None) -> Verified:
    """Reads everything that was ever published, in the store too where the lake lies in one, and compares it with the chain.

    Args:
        lake: the lake.
        head: a head that was kept elsewhere, of either chain: it must be in there. Without one, a lake that was cut back to an
            earlier publish, or forged as a whole, looks right.
        signer: the public key, in hexadecimal, of who must have signed what is current.

    Raises:
        LakeError: names the first thing that does not fit.
    """
    root = checked_root(lake)
    state = manifest.read_state(root)
    refuse_cut_back(root, state.number if state else 0)
    if state is None:
        raise LakeError("there is no lake here", str(root), "name the folder that holds current.json")
    manifests = manifest.chain(root, state)
    beside = {file: appended.chained(root / file) for file in appended.ADDED_TO}
    heads = _walk(root, state, manifests, beside)
    known = {one for chain in (*heads.values(), *beside.values()) for one in chain}
    if head is not None and head not in known:
        raise LakeError(f"the head {head} is in no chain here: the lake was cut back or is another one", str(root), _RESTORE)
    signed = signature.check(root, state, {number: run_sha256 for number, (_, run_sha256) in heads.items()})
    if signer is not None and (signed is None or signed.public_key != signer):
        what = "is not signed" if signed is None else f"is signed by another key, {signed.public_key}"
        raise LakeError(f"publish {state.number} {what}", str(root), "sign it with: resettle lake sign LAKE --key KEY")
    origin = origin_of(root)
    if origin is not None:
        origin.check(manifests)
    named: set[str] = set()
    size = 0
    for one in manifests:
        for facts in _tables(one):
            if facts.file is not None and facts.file not in named:
                if origin is None or (root / facts.file).exists():
                    _fits(root, facts, facts.file)
                named.add(facts.file)
                size += facts.bytes
    _catalogue_fits(root, state, {one.number: one for one in manifests})
    found = {path.relative_to(root).as_posix() for top in ("tables", "deliveries") for path in (root / top).rglob("*") if path.is_file()}
    strays = tuple(sorted(found - named))
    return Verified(
        publishes=len(manifests), partitions=len(state.partitions), files=len(named), bytes=size, manifest_sha256=state.manifest_sha256,
        run_sha256=state.run_sha256, signed_by=signed.public_key if signed else None,
        beside={file: lines[-1] for file, lines in beside.items() if lines}, strays=strays,
    )  # fmt: skip


def _walk(
    root: Path, state: manifest.State, manifests: list[manifest.Manifest], beside: dict[str, list[str]]
) -> dict[int, tuple[str, str]]:
    """Follows both chains and folds them into what must be current; returns both heads after each publish."""
    folded: manifest.State | None = None
    before: dict[int, manifest.Manifest] = {}
    heads: dict[int, tuple[str, str]] = {}
    for number, one in enumerate(manifests, 1):
        file = manifest_file(number, one.run_id)
        content = _bytes(root, file)
        if (one.number, one.previous) != (number, folded.manifest_sha256 if folded else None):
            raise LakeError("does not follow on the manifest before it", str(root / file), _RESTORE)
        if manifest.withdrawals(folded, before, one) != one.withdrawn:
            raise LakeError("withdraws other partitions than its inputs say", str(root / file), _RESTORE)
        said = run_file(number, one.run_id)
        told = _bytes(root, said)
        record = manifest.decode(told, manifest.RunRecord, str(root / said))
        expected = (number, one.run_id, manifest.digest(content), folded.run_sha256 if folded else None)
        if (record.number, record.run_id, record.manifest_sha256, record.previous) != expected:
            raise LakeError("does not fit its manifest, or does not follow on the record before it", str(root / said), _RESTORE)
        for file, last in record.beside.items():
            if last not in beside.get(file, ()):
                raise LakeError(f"a line is missing or changed that stood there at publish {number}", str(root / file), _RESTORE)
        folded = manifest.after(folded, before, one, manifest.digest(content), manifest.digest(told))
        before[number] = one
        heads[number] = (folded.manifest_sha256, folded.run_sha256)
    if folded is None or manifest.encode(folded) != _bytes(root, CURRENT):
        fault = "differs from what the chain says is current" if folded == state else _first_difference(folded, state)
        raise LakeError(fault, str(root / CURRENT), _RESTORE)
    return heads


def _first_difference(folded: manifest.State | None, state: manifest.State) -> str:
    if folded is None:
        return "names publishes that the chain has not"
    for field in ("number", "run_id", "manifest_sha256", "run_sha256", "partitions", "deliveries"):
        if getattr(folded, field) != getattr(state, field):
            return f"{field} differs from what the chain says"
    return "differs from what the chain says is current"


def _tables(one: manifest.Manifest) -> Iterator[TableFacts]:
    for part in one.partitions:
        yield from part.tables.values()
    yield from one.delivery.values()


def _fits(root: Path, facts: TableFacts, file: str) -> None:
    path = root / file
    if not path.is_file():
        raise LakeError("is missing", str(path), _RESTORE)
    if path.stat().st_size != facts.bytes or disk.sha256(path) != facts.sha256:
        raise LakeError("was changed after it was published", str(path), _RESTORE)


def _catalogue_fits(root: Path, state: manifest.State, chain: dict[int, manifest.Manifest]) -> None:
    path = root / AUDIT_DB
    mend = f"rebuild it with: resettle lake here {root}"
    told = catalogue.shown(root)
    if told is None:
        raise catalogue.damaged(root)
    if told[0] != str(root):
        raise LakeError(f"names its files in {told[0]}", str(path), mend)
    if told[1] != state.run_sha256:
        raise LakeError("shows an older state than current.json", str(path), mend)
    try:
        with duckdb.connect(path, read_only=True, config=CONFIG) as con:
            found = catalogue.contents(con)
    except duckdb.Error:
        raise catalogue.damaged(root) from None
    expected = catalogue.expected_contents(root, state, chain)
    if found != expected:
        strange = [row for row in found if row not in expected] or [row for row in expected if row not in found]
        raise LakeError(f"its {strange[0][0]} {strange[0][1]} is not as published", str(path), mend)


def _bytes(root: Path, file: str) -> bytes:
    path = root / file
    if not path.is_file():
        raise LakeError("is missing", str(path), _RESTORE)
    return path.read_bytes()
