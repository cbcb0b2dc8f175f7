"""A partition (one studio, one gaming day) on its way into the lake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

import msgspec

from pipeline.core.overlap import Behind
from pipeline.lake import disk
from pipeline.lake.facts import PartitionFacts
from pipeline.lake.layout import partition_file
from pipeline.lake.lookback import look_back
from pipeline.lake.sink import TableSink
from pipeline.lake.tables import PARTITION_TABLES
from pipeline.lake.totals import summed_up

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path
    from types import TracebackType

    import polars as pl

    from pipeline.core.theory import Theory
    from pipeline.lake.facts import TableFacts

_MOST_WAITING: Final = 10
"""Frames that may wait to be encoded: about a chunk's tables."""


class PartitionWriter:
    """Streams a partition's tables into staging. One partition may be written in a process of its own.

    ``daily_totals``, ``night_counts`` and the conservation of money are computed on ``close`` from the rows that were appended, so
    nobody appends them.

    Args:
        staging: the run's staging folder, ``Publication.staging``.
        run_id: the run.
        studio_id: the studio.
        gaming_day: the gaming day.

    Attributes:
        theory: what the filings in force keep on average, for ``daily_totals``.
    """

    def __init__(self, staging: Path, run_id: str, studio_id: str, gaming_day: date) -> None:
        self._staging = staging
        self._run_id = run_id
        self._studio_id = studio_id
        self._gaming_day = gaming_day
        self._sinks: dict[str, TableSink] = {}
        self._closed: dict[str, TableFacts] = {}
        self._behind = Behind(_MOST_WAITING)
        self._source_files: set[str] = set()
        self._wallet_files: set[str] = set()
        self._result: PartitionFacts | None = None
        self.theory: Theory = {}

    def append(self, table: str, frame: pl.DataFrame) -> None:
        """Adds rows to a table, in the order in which they are to lie; they are encoded behind the caller.

        Args:
            table: a name of ``PARTITION_TABLES``.
            frame: rows with exactly that table's columns.

        Raises:
            TypeError: the frame has other columns or types.
            KeyError: no such table.
            RuntimeError: the table was finished by ``written``.
        """
        if table in self._closed:
            raise RuntimeError(f"{table} is finished already")
        if table not in self._sinks:
            file = partition_file(table, self._studio_id, self._gaming_day, self._run_id)
            self._sinks[table] = TableSink(PARTITION_TABLES[table], self._staging, file)
        self._sinks[table].demand(frame)
        self._behind.call(self._sinks[table].append, frame)
        if table in {"rounds", "wallet"}:
            files = self._source_files if table == "rounds" else self._wallet_files
            files.update(frame["source_file"].drop_nulls().unique())

    @property
    def folder(self) -> Path:
        """The staging folder, made where it is not yet there."""
        disk.make_folder(self._staging)
        return self._staging

    def written(self, table: str) -> Path | None:
        """Finishes a table before the others, and says where it lies; None where it has no row. Nothing can be added to it afterwards."""
        self._behind.finish()
        if table in self._sinks:
            self._closed[table] = self._sinks.pop(table).close()
        file = self._closed[table].file if table in self._closed else None
        return None if file is None else self._staging / file

    def close(self) -> PartitionFacts:
        """Finishes the files and the totals; closing again gives the same result."""
        if self._result is None:
            self._behind.finish()
            tables = self._closed | {name: sink.close() for name, sink in self._sinks.items()}
            files = {name: self._staging / facts.file for name, facts in tables.items() if facts.file}
            self._sinks = {}
            totals, conserved, wallet = summed_up(files, self.theory)
            for name, rows in totals.items():
                self.append(name, rows)
            self._behind.finish()
            tables |= {name: sink.close() for name, sink in self._sinks.items()}
            ordered = {name: tables[name] for name in sorted(tables)}
            self._result = PartitionFacts(
                self._studio_id, self._gaming_day, ordered, conserved, sorted(self._source_files or self._wallet_files), wallet,
                look_back(files),
            )  # fmt: skip
        return self._result

    @property
    def result(self) -> PartitionFacts:
        """What was written, once closed.

        Raises:
            RuntimeError: it is still open, or its writing failed.
        """
        if self._result is None:
            raise RuntimeError("the partition is not closed")
        return self._result

    def __enter__(self) -> Self:
        """Opens nothing: files open with their first row."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Closes the partition, or after an error leaves its files in staging for the next run to sweep."""
        if kind is None:
            self.close()
        self._behind.drop()
        for sink in self._sinks.values():
            sink.abandon()


def encode(facts: PartitionFacts) -> bytes:
    """A partition's facts as JSON, to pass between processes."""
    return msgspec.json.encode(facts, order="deterministic")


def decode(text: bytes) -> PartitionFacts:
    """The facts that ``encode`` wrote."""
    return msgspec.json.decode(text, type=PartitionFacts)
