"""A night in a lake, and the report on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.results import INCIDENTS
from pipeline.lake import writing
from pipeline.lake.tables import PARTITION_TABLES
from pipeline.report.model import Report, build_report
from tests.support.lake import DAY, STUDIO, facts, filed, findings, made, settlements, source_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

RUN = "a" * 32
HOSTILE = '<script>alert("x")</script>\x1b[31m\u202e\n\'"&{{7*7}}[bold]'


def published(
    lake: Path,
    settled: Sequence[dict[str, object]],
    found: Sequence[dict[str, object]],
    untrusted: tuple[str, ...] = (),
    *,
    gaming_day: date = DAY,
    run_id: str = RUN,
    incidents: Sequence[pl.DataFrame] = (),
    **books: int,
) -> Report:
    """Publishes a night of two rounds, and one that was told anew.

    Args:
        lake: where to.
        settled: what to make of each settlement.
        found: what to make of each finding, or of several whose ``finding_id`` is a list.
        untrusted: why it is not to be trusted.
        gaming_day: the night.
        run_id: the run.
        incidents: its incidents.
        books: counts of the file.
    """
    file = "rounds.ndjson" if gaming_day == DAY else f"{gaming_day}.ndjson"
    with writing(lake) as opened:
        publication = opened.begin(facts(run_id))
        with publication.partition(STUDIO, gaming_day) as writer:
            status = {"table_id": "TCP-01", "is_current": [True, True, False], "status": "settled", "source_file": file}
            writer.append("rounds", made(PARTITION_TABLES["rounds"], 3, {"studio_id": STUDIO, "gaming_day": gaming_day, **status}))
            for given in settled:
                writer.append("settlements", settlements(1, gaming_day=gaming_day, **given))  # type: ignore[arg-type]
            for given in found:
                ids = given.get("finding_id")
                count = len(ids) if isinstance(ids, list) else 1
                writer.append("findings", findings(count, run_id, gaming_day=gaming_day, **given))  # type: ignore[arg-type]
            writer.append("incidents", pl.concat([INCIDENTS.empty(), *incidents]))
            coverage = {"run_id": run_id, "gaming_day": gaming_day, "studio_id": STUDIO, "table_id": "TCP-01"}
            examined = {"check_id": ["payout_mismatch", "meter_break", "missing_play"], "examined": [5, 0, 3], "not_examined": [0, 0, 1]}
            reasons = {"reason": [None, "not checked: no meters in the log", "no claim: 1"]}
            writer.append("coverage", made(PARTITION_TABLES["coverage"], 3, coverage | examined | reasons))
        publication.deliver(
            "source_files",
            source_files(file, "d" * 64).with_columns(pl.lit(number, pl.Int64).alias(name) for name, number in books.items()),
        )
        publication.deliver_filings(filed())
        publication.publish([writer.result], untrusted)
        opened.refresh()
    return build_report(lake)
