"""Writing beside, then switching: how a run becomes what readers see."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec
import polars as pl
import pyarrow as pa

from pipeline.core.errors import LakeError
from pipeline.lake import appended, catalogue, disk, manifest
from pipeline.lake.deliveries import Deliveries
from pipeline.lake.earlier import Published
from pipeline.lake.layout import (
    AUDIT_DB,
    CURRENT,
    DELIVERIES,
    FETCHING,
    FOLLOW_UPS,
    LOCK,
    MANIFESTS,
    MOVES,
    NOTICES,
    ORIGIN,
    PLAN,
    REMEDIES,
    RUNS,
    SIGNATURES,
    STAGING,
    TABLES,
    checked_root,
    manifest_file,
    run_file,
)  # fmt: skip
from pipeline.lake.partition import PartitionWriter
from pipeline.lake.sweep import sweep
from pipeline.lake.tables import WRITTEN_TABLES, duckdb_type
from pipeline.lake.working_copy import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from pipeline.core.filed import Filed
    from pipeline.lake.facts import PartitionFacts, RunFacts, TableFacts

STEPS: Final = ("staged", "moved", "recorded", "switched", "refreshed")
"""What a publish goes through, in order; before ``switched`` readers see the old state, from then on the new one. Of a lake in a store,
they see the new one there from ``switched there`` on, which comes before."""

OURS: Final = frozenset(
    path.partition("/")[0]
    for path in (
        CURRENT, AUDIT_DB, LOCK, MANIFESTS, RUNS, SIGNATURES, STAGING, TABLES, DELIVERIES, REMEDIES, FOLLOW_UPS, NOTICES, ORIGIN, FETCHING
    )
)  # fmt: skip


def versions() -> dict[str, str]:
    """Name to version of what decides the bytes of a lake, beside this program's own code."""
    return {"duckdb": duckdb.__version__, "polars": pl.__version__, "pyarrow": pa.__version__}


@contextmanager
def writing(lake: Path, *, resuming: bool = False) -> Iterator[Writing]:
    """Opens a lake for one audit, makes the folder where there is none, and sweeps up after a killed run; makes a working copy current.

    Args:
        lake: a lake, or a folder that is new or empty.
        resuming: leave what a killed run has prepared by a plan, so that it can go on.

    Raises:
        LakeError: another audit is at work on it, the folder holds something else, publishes were made that ``current.json`` does
            not know, or a working copy does not fit its lake.
        StoreError: that lake cannot be reached.
    """
    root = checked_root(lake)
    if root.exists() and (strange := sorted({path.name for path in root.iterdir()} - OURS)) and not (root / CURRENT).exists():
        raise LakeError(f"is not a lake: it holds {strange[0]}", str(root), "name a new or empty folder")
    disk.make_folder(root)
    handle = os.open(root / LOCK, os.O_RDWR | os.O_CREAT, 0o640)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LakeError("another audit is writing to this lake", str(root), "wait until it has ended, then run this again") from error
        opened = Writing(root)
        opened.sweep(lambda staging: resuming and (staging / PLAN).exists())
        if opened.origin is not None:
            opened.origin.pull()
            opened = Writing(root)
        yield opened
    finally:
        os.close(handle)


class Writing(Published):
    """A lake that this process alone writes to; of a lake in a store, its working copy.

    Attributes:
        origin: the lake in the store; None where this is a lake of its own.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.origin = origin_of(root)

    def sweep(self, kept: Callable[[Path], bool] = lambda _: False) -> None:
        """Removes what a killed run left (``pipeline.lake.sweep``)."""
        sweep(self.root, self.state.number if self.state else 0, {one.run_id for one in self.chain.values()}, kept)

    def begin(self, facts: RunFacts, on_step: Callable[[str], None] | None = None) -> Publication:
        """Starts a run.

        Args:
            facts: what the run rests on.
            on_step: told the name of each of ``STEPS`` as it is done.
        """
        return Publication(self, facts, on_step or (lambda _: None))

    def refresh(self) -> None:
        """Rebuilds ``audit.duckdb`` where it is missing, shows another state, or names another folder.

        In a working copy that waits until somebody wants to see it (``show``), since every current file must be here for it.
        """
        if self.origin is None:
            self.show()

    def show(self, *, anew: bool = False) -> None:
        """Rebuilds ``audit.duckdb`` where it is behind, with ``anew`` in any case; in a working copy, all that is current is brought."""
        if self.state is not None and (anew or not catalogue.is_current(self.root, self.state)):
            if self.origin is not None:
                self.origin.fetch(catalogue.current_tables(self.state, self.chain))
            built = self.root / STAGING / AUDIT_DB / AUDIT_DB
            disk.make_folder(built.parent)
            catalogue.build(built, self.root, self.state, self.chain)
            built.chmod(0o640)
            disk.sync(built)
            disk.move(built, self.root / AUDIT_DB)
            shutil.rmtree(built.parent)


class Publication:
    """A run on its way into the lake.

    Attributes:
        facts: what the run rests on.
        staging: its folder; partitions may be written to it by other processes (``PartitionWriter(staging, run_id, …)``).
        published: the same run stands already, whole and current: publishing it again would change nothing.
    """

    def __init__(self, lake: Writing, facts: RunFacts, on_step: Callable[[str], None]) -> None:
        self._lake = lake
        self._on_step = on_step
        self.facts = facts
        self.staging = lake.root / STAGING / facts.run_id
        self._deliveries = Deliveries(self.staging, facts.run_id)

    @property
    def published(self) -> bool:
        """Everything that this run would publish is current."""
        state = self._lake.state
        numbers = [number for number, one in self._lake.chain.items() if one.run_id == self.facts.run_id]
        if state is None or not numbers or numbers[-1] not in state.deliveries:
            return False
        current = {(key.studio_id, key.gaming_day) for key in state.partitions if key.number == numbers[-1]}
        return current == manifest.by_day(self._lake.chain[numbers[-1]]).keys()

    def stands(self, partitions: Sequence[PartitionFacts]) -> bool:
        """All that these partitions hold is current, by the same filings, checks, options and versions."""
        return all(self._stands(facts) for facts in partitions)

    def _stands(self, facts: PartitionFacts) -> bool:
        current = self._lake.facts(facts.studio_id, facts.gaming_day)
        number = self._lake.number(facts.studio_id, facts.gaming_day)
        if current is None or number is None:
            return False
        one, mine = self._lake.chain[number], self.facts
        rests = (one.filings_fingerprint, one.checks_fingerprint, one.code_version, one.versions, one.options)
        same = rests == (mine.filings_fingerprint, mine.checks_fingerprint, mine.code_version, versions(), mine.options)
        return same and _contents(facts) == _contents(current)

    def discard(self) -> None:
        """Drops what was staged; nothing is published."""
        shutil.rmtree(self.staging, ignore_errors=True)

    def partition(self, studio_id: str, gaming_day: date) -> PartitionWriter:
        """A writer for a studio and gaming day."""
        return PartitionWriter(self.staging, self.facts.run_id, studio_id, gaming_day)

    def deliver(self, table: str, frame: pl.DataFrame) -> None:
        """Adds rows to ``quarantine``, ``source_files`` (``schema.QUARANTINE``, ``schema.SOURCE_FILES``) or the index ``round_days``.

        Raises:
            KeyError: no such table.
            TypeError: the frame has other columns.
        """
        self._deliveries.add(table, frame)

    def deliver_filings(self, filed: Filed, theory: Sequence[pl.DataFrame] = ()) -> None:
        """Adds what was filed, and ``FILED_EDGES`` and ``FILED_CHANCES`` of it; in the lake each row names its filing by fingerprint."""
        self._deliveries.add_filings(filed, theory)

    def publish(self, partitions: Sequence[PartitionFacts], untrusted: Sequence[str] = ()) -> manifest.State:
        """Makes the run what readers see, in one step.

        Args:
            partitions: the results of all of the run's partition writers.
            untrusted: why the results are not to be trusted (engines disagree, books or money not conserved, a check failed).

        Returns:
            What is current from now on.

        Raises:
            RuntimeError: it is published already.
        """
        if self.published:
            raise RuntimeError("this run is published")
        new = self._manifest(partitions, untrusted)
        self._on_step("staged")
        self._move([facts for part in new.partitions for facts in part.tables.values()] + list(new.delivery.values()))
        self._on_step("moved")
        state = self._record(new)
        self._on_step("recorded")
        if self._lake.origin is not None:
            self._lake.origin.publish(new, state)
            self._on_step("switched there")
        self._switch(state, new)
        self._on_step("switched")
        self._lake.refresh()
        shutil.rmtree(self.staging)
        self._on_step("refreshed")
        return state

    def _manifest(self, partitions: Sequence[PartitionFacts], untrusted: Sequence[str]) -> manifest.Manifest:
        before = self._lake.state
        delivery, inputs = self._deliveries.close()
        named = {table for part in partitions for table in part.tables} | set(delivery)
        new = manifest.Manifest(
            number=before.number + 1 if before else 1,
            previous=before.manifest_sha256 if before else None,
            run_id=self.facts.run_id,
            code_version=self.facts.code_version,
            versions=versions(),
            filings_fingerprint=self.facts.filings_fingerprint,
            checks_fingerprint=self.facts.checks_fingerprint,
            gaming_day=self.facts.gaming_day,
            options=self.facts.options,
            retried=self.facts.retried,
            key_fingerprint=self.facts.key_fingerprint,
            inputs=inputs,
            schemas={t: [f"{c.name} {duckdb_type(c.dtype)}" for c in WRITTEN_TABLES[t].columns] for t in sorted(named)},
            partitions=sorted(partitions, key=lambda facts: (facts.studio_id, facts.gaming_day)),
            delivery=delivery,
            withdrawn=[],
            untrusted=list(untrusted),
        )
        return msgspec.structs.replace(new, withdrawn=manifest.withdrawals(before, self._lake.chain, new))

    def _move(self, tables: Sequence[TableFacts]) -> None:
        files = [facts.file for facts in tables if facts.file]
        disk.write(self.staging / f"{MOVES}.part", msgspec.json.encode(files))
        disk.move(self.staging / f"{MOVES}.part", self.staging / MOVES)
        for file in files:
            disk.move(self.staging / file, self._lake.root / file)

    def _record(self, new: manifest.Manifest) -> manifest.State:
        before, root = self._lake.state, self._lake.root
        text = manifest.encode(new)
        record = manifest.RunRecord(
            number=new.number,
            previous=before.run_sha256 if before else None,
            run_id=new.run_id,
            manifest_sha256=manifest.digest(text),
            started_at=self.facts.started_at,
            finished_at=datetime.now(UTC),
            host=platform.node(),
            command=self.facts.command,
            python_version=platform.python_version(),
            beside=appended.heads(root),
        )
        said = manifest.encode(record)
        for file, content in ((manifest_file(new.number, new.run_id), text), (run_file(new.number, new.run_id), said)):
            disk.write(self.staging / file, content)
            disk.move(self.staging / file, root / file)
        return manifest.after(before, self._lake.chain, new, record.manifest_sha256, manifest.digest(said))

    def _switch(self, state: manifest.State, new: manifest.Manifest) -> None:
        disk.write(self.staging / CURRENT, manifest.encode(state))
        disk.move(self.staging / CURRENT, self._lake.root / CURRENT)
        self._lake.state = state
        self._lake.chain[new.number] = new


def _contents(facts: PartitionFacts) -> dict[str, str]:
    return {name: table.content_sha256 for name, table in facts.tables.items() if table.rows}
