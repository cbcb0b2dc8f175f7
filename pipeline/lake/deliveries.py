"""What belongs to a delivery and to no gaming day: its files, its quarantine, and the filings it was judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.lake.facts import InputFacts, TableFacts
from pipeline.lake.layout import delivery_file
from pipeline.lake.sink import TableSink
from pipeline.lake.tables import DELIVERY_TABLES, FILING_TABLES, ROUND_DAYS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Table


class Deliveries:
    """Takes the delivery tables of a run.

    Args:
        staging: the run's staging folder.
        run_id: the run.
    """

    def __init__(self, staging: Path, run_id: str) -> None:
        self._staging = staging
        self._run_id = run_id
        self._sinks: dict[str, TableSink] = {}
        self._inputs: list[InputFacts] = []

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Adds rows, without ``run_id``, to ``quarantine``, ``source_files`` or the index ``round_days``."""
        if table == ROUND_DAYS.name:
            self._append(ROUND_DAYS, frame)
            return
        self._append(DELIVERY_TABLES[table], frame.select(pl.lit(self._run_id).alias("run_id"), pl.all()))
        if table == "source_files":
            facts = frame.select("source_file", "sha256", "bytes", "lines", "records")
            self._inputs += [InputFacts(**row) for row in facts.iter_rows(named=True)]

    def add_filings(self, filed: Filed, theory: Sequence[pl.DataFrame] = ()) -> None:
        """Adds the filings, and what they keep on average; each row names its filing by fingerprint instead of by its number in the run."""
        named = filed.filings.select("filing_no", filing_fingerprint="fingerprint")
        frames = (filed.filings, filed.wagers, filed.lines, filed.limits, filed.meters, *theory)
        for table, frame in zip(FILING_TABLES.values(), frames, strict=False):
            joined = frame.join(named, on="filing_no", how="left", maintain_order="left")
            self._append(table, joined.select(table.schema.names()))

    def close(self) -> tuple[dict[str, TableFacts], list[InputFacts]]:
        """Finishes the files and says what is in them."""
        facts = {name: self._sinks[name].close() for name in sorted(self._sinks)}
        return facts, sorted(self._inputs, key=lambda entry: (entry.source_file, entry.sha256))

    def _append(self, table: Table, frame: pl.DataFrame) -> None:
        if table.name not in self._sinks:
            self._sinks[table.name] = TableSink(table, self._staging, delivery_file(table.name, self._run_id))
        self._sinks[table.name].append(frame)
