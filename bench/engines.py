"""What the engines and the checks cost beside a bare scan of the same Parquet, side by side in one run.

``python bench/engines.py --wagers 1000000`` simulates a day, audits it into a lake, and then measures over the published files:

- ``scan``: decode every column of the seven tables, text included, and nothing more;
- ``engines``: read whole rounds and settle them with both engines, without comparing them;
- ``checks``: the checks alone, over wagers that are settled already.

Prints a Markdown table with seconds, processor seconds and the ratio of each to ``scan``.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from pipeline.audit import Request, audit
from pipeline.core.schema import CHUNK_TABLES
from pipeline.filings.licence import licence_verdicts
from pipeline.filings.load import load_filings
from pipeline.lake.earlier import Published, published_chunks
from pipeline.reconcile.checks import load_checks
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.findings import CheckRun
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import compare, settled_result
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle
from pipeline.simulate import Settings, simulate

if TYPE_CHECKING:
    from collections.abc import Iterator


class Clock:
    """Adds up seconds and processor seconds under names."""

    def __init__(self) -> None:
        self.wall: dict[str, float] = defaultdict(float)
        self.cpu: dict[str, float] = defaultdict(float)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Counts what runs within."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall[name] += time.perf_counter() - wall
        self.cpu[name] += time.process_time() - cpu


def measure(lake: Published, filings_dir: Path, clock: Clock) -> int:
    """Scan, settle and check the lake's only night; returns its wagers."""
    (studio,) = lake.studios
    (day,) = lake.days(studio)
    facts = lake.facts(studio, day)
    assert facts is not None
    files = [facts.tables[table.name].file for table in CHUNK_TABLES if table.name in facts.tables]
    with clock.of("scan"):
        for file in filter(None, files):
            for _ in pq.ParquetFile(lake.root / file).iter_batches():
                pass
    filings = load_filings(filings_dir)
    con = open_session()
    twin, filed = Twin(con), filings.filed
    con.register("filed_licence", licence_verdicts(filings))
    run = CheckRun(con, load_checks(), filed, RunContext("bench", studio, day))
    wagers, chunks = 0, published_chunks(lake, studio, day)
    while True:
        with clock.of("engines"):
            if (chunk := next(chunks, None)) is None:
                return wagers
            ours, theirs = settle(chunk, filed), twin.settle(chunk, filed)
        differing = compare(ours, theirs)
        settled = settlements(chunk, settled_result(ours, differing), filed)
        with clock.of("checks"):
            run.run_chunk(chunk, settled, differing)
        assert not run.failed_checks, run.failed_checks
        wagers += settled.height


def main() -> None:
    """Simulate, audit, measure, print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wagers", type=int, default=300_000)
    options.add_argument("--log", type=Path, help="an existing log (with filings/ beside it) instead of a simulated one")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = given.log or Path(folder) / "day" / "rounds.ndjson"
        if given.log is None:
            simulate(Settings(seed=7, wagers=given.wagers), log.parent)
        audit(Request((log,), log.parent / "filings", Path(folder) / "lake"))
        clock = Clock()
        wagers = measure(Published(Path(folder) / "lake"), log.parent / "filings", clock)
    print(f"{wagers:,} wagers from Parquet\n\n| way | seconds | CPU seconds | CPU, times scan |\n|---|---|---|---|")
    for way, wall in clock.wall.items():
        print(f"| {way} | {wall:.1f} | {clock.cpu[way]:.1f} | {clock.cpu[way] / clock.cpu['scan']:.1f} |")


if __name__ == "__main__":
    main()
