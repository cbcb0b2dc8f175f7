"""How time and memory grow: with the size of a night, and with the nights that a lake already holds.

``python bench/growth.py --sizes 100000,300000,1000000 --nights 1,40,100,365`` audits simulated nights of each size, each in a process of
its own (``--shape seated``: of tables with a hand for each seat alone, as many as it takes); then it fills lakes with so many nights, each
a publish of its own, audits one night more into each, and prints two Markdown tables.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

import polars as pl

from pipeline.ask.query import connect
from pipeline.audit import Request, audit
from pipeline.core.schema import QUARANTINE
from pipeline.feeds.staged import round_hash
from pipeline.filings.load import load_filings
from pipeline.filings.theory import theory_frames
from pipeline.lake import RunFacts, Writing, run_digest
from pipeline.lake.earlier import Published
from pipeline.lake.round_days import round_days
from pipeline.simulate import Settings, simulate
from pipeline.simulate.settings import DEFAULT_TABLES, TableSpec

FIRST = date(2026, 11, 2)
A_SEATED_TABLE = 13_000
"""Wagers that a table of seven seats takes in a night."""

SUMMED_UP = ("daily_totals", "night_counts")


class Unshown(Writing):
    """A lake that is filled night by night and shown at the end."""

    def refresh(self) -> None:
        """Leave ``audit.duckdb`` for the end."""


def simulated(folder: Path, wagers: int, shape: str = "mixed", start: date = FIRST) -> Path:
    """The log of a simulated night, made where it is not yet there."""
    tables = DEFAULT_TABLES if shape == "mixed" else tuple(TableSpec(f"T{n:04}", shape) for n in range(1 + wagers // A_SEATED_TABLE))
    if not (log := folder / "rounds.ndjson.zst").exists():
        simulate(Settings(seed=7, wagers=wagers, start=start, tables=tables, compression="zst", jobs=2), folder)
    return log


def filled(pattern: Path, root: Path, nights: int, filings_dir: Path) -> None:
    """Publish a lake's only night again and again, a day later each time and under other round ids, each in a publish of its own."""
    lake, filings = Published(pattern), load_filings(filings_dir)
    (key,) = lake.partitions(*lake.studios)
    (one,) = lake.chain.values()
    held = {name: pl.read_parquet(lake.root / facts.file, glob=False) for name, facts in one.partitions[0].tables.items() if facts.file}
    open_rounds = held["rounds"].filter(pl.col("status").is_in(["open", "interrupted"]))["round_id"].implode()
    read = pl.read_parquet(lake.root / (one.delivery["source_files"].file or ""), glob=False).drop("run_id")
    theory, full = theory_frames(filings), Unshown(root)
    for night in range(nights):
        run_id = run_digest([(str(night), "")], "", "", {}, {})
        publication = full.begin(RunFacts(run_id, filings.fingerprint, one.checks_fingerprint, one.code_version))
        with publication.partition(key.studio_id, key.gaming_day + timedelta(days=night)) as writer:
            for name, frame in held.items():
                if name not in SUMMED_UP:
                    closed = frame.remove(pl.col("round_id").is_in(open_rounds)) if "round_id" in frame.columns else frame
                    writer.append(name, later(closed, night))
        publication.deliver("source_files", read.with_columns(source_file=pl.lit(f"{night}.ndjson"), sha256=pl.lit(run_id)))
        publication.deliver("quarantine", QUARANTINE.empty())
        publication.deliver_filings(filings.filed, theory)
        for piece in round_days(full, publication.staging, [writer.result], round_hash()):
            publication.deliver("round_days", piece)
        publication.publish([writer.result])
    Writing(root).refresh()


def later(frame: pl.DataFrame, days: int) -> pl.DataFrame:
    """The rows of a table so many days later."""
    moved = [pl.col(name) + pl.duration(days=days) for name, kind in frame.schema.items() if isinstance(kind, (pl.Datetime, pl.Date))]
    named = [pl.col("round_id") + f"-{days}"] if "round_id" in frame.columns else []
    return frame.with_columns(*moved, *named).cast(dict(frame.schema))


def audited(log: Path, lake: Path) -> dict[str, float]:
    """What an audit takes, in a process of its own."""
    ended = subprocess.run([sys.executable, __file__, "--measure", str(log), str(lake)], stdout=subprocess.PIPE, text=True, check=True)
    took: dict[str, float] = json.loads(ended.stdout)
    return took


def measure(log: Path, lake: Path) -> dict[str, float]:
    """Audit in this process."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    began = time.perf_counter()
    outcome = audit(Request((log,), log.parent / "filings", lake))
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wagers = sum(money.wagers for money in outcome.report.money)
    return {"wagers": wagers, "wall": wall, "cpu": cpu, "rss": after.ru_maxrss / 1024, "nights": len(outcome.report.nights)}


def opened(lake: Path, day: date) -> tuple[float, float]:
    """Processor milliseconds to open ``audit.duckdb``, and to ask it for a day."""
    began = time.process_time()
    with connect(lake) as con:
        shown = time.process_time()
        con.execute("SELECT kind, count(*), sum(delta) FROM settlements WHERE gaming_day = ? GROUP BY ALL", [day]).fetchall()
        return (shown - began) * 1e3, (time.process_time() - shown) * 1e3


def main() -> None:
    """Measure both ways of growing, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", default="30000,100000,300000", help="wagers of a night, comma-separated")
    options.add_argument("--nights", default="1,40", help="nights that a lake holds before one more, comma-separated")
    options.add_argument("--night", type=int, default=1500, help="wagers of each of these nights")
    options.add_argument("--shape", default="mixed", choices=("mixed", "seated"), help="what tables a night of these sizes has")
    options.add_argument("--folder", type=Path, help="keep the simulated nights here, and use those that are there")
    options.add_argument("--measure", nargs=2, type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(measure(*given.measure)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if given.sizes:
            print("| wagers a night | seconds | CPU seconds | CPU microseconds a wager | peak MB |\n|---|---|---|---|---|")
        for size in map(int, filter(None, given.sizes.split(","))):
            took = audited(simulated((given.folder or folder) / f"{given.shape}-{size}", size, given.shape), folder / f"lake-{size}")
            each = took["cpu"] / took["wagers"] * 1e6
            print(f"| {took['wagers']:,.0f} | {took['wall']:.1f} | {took['cpu']:.1f} | {each:.1f} | {took['rss']:,.0f} |", flush=True)
        if not given.nights:
            return
        print(
            "\n| nights before | seconds for one more | CPU seconds | peak MB | audit.duckdb, MB | opened, CPU ms | a day asked, CPU ms |"
        )
        print("|---|---|---|---|---|---|---|")
        log = simulated(folder / "pattern", given.night)
        audited(log, folder / "lake")
        for nights in map(int, given.nights.split(",")):
            full = folder / f"full-{nights}"
            filled(folder / "lake", full, nights, log.parent / "filings")
            took = audited(simulated(folder / f"more-{nights}", given.night, start=FIRST + timedelta(days=nights)), full)
            assert took["nights"] == 1, f"{took['nights']} nights were settled, not one"
            size, (to_open, to_ask) = (full / "audit.duckdb").stat().st_size / 1e6, opened(full, FIRST)
            each = f"{took['wall']:.1f} | {took['cpu']:.1f} | {took['rss']:,.0f} | {size:.1f} | {to_open:.0f} | {to_ask:.0f}"
            print(f"| {nights} | {each} |", flush=True)


if __name__ == "__main__":
    main()
