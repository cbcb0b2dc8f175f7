"""How time and memory grow: with the size of a night, and with the nights that a lake already holds.

``python bench/growth.py --sizes 100000,300000,1000000 --nights 100`` audits simulated nights of each size, each in a process of its own;
then it fills one lake with a night and another with many, audits the same night more into both, and prints two Markdown tables.
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

from pipeline.audit import Request, audit
from pipeline.simulate import Settings, simulate

FIRST = date(2026, 11, 2)


def simulated(folder: Path, wagers: int, days: int = 1, start: date = FIRST) -> Path:
    """The log of a simulated delivery."""
    simulate(Settings(seed=7, wagers=wagers, days=days, start=start), folder)
    return folder / "rounds.ndjson"


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
    return {"wagers": wagers, "wall": wall, "cpu": cpu, "rss": after.ru_maxrss / 1024}


def main() -> None:
    """Measure both ways of growing, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", default="30000,100000,300000", help="wagers of a night, comma-separated")
    options.add_argument("--nights", type=int, default=30, help="nights that the fuller lake holds")
    options.add_argument("--measure", nargs=2, type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(measure(*given.measure)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        print("| wagers a night | seconds | CPU seconds | CPU microseconds a wager | peak MB |\n|---|---|---|---|---|")
        for size in map(int, given.sizes.split(",")):
            took = audited(simulated(folder / f"day-{size}", size), folder / f"lake-{size}")
            each = took["cpu"] / took["wagers"] * 1e6
            print(f"| {took['wagers']:,.0f} | {took['wall']:.1f} | {took['cpu']:.1f} | {each:.1f} | {took['rss']:,.0f} |", flush=True)
        print("\n| nights in the lake before | seconds for one more | CPU seconds | peak MB |\n|---|---|---|---|")
        again = simulated(folder / "more", 6000, start=FIRST + timedelta(days=given.nights))
        for nights in (1, given.nights):
            start = FIRST + timedelta(days=given.nights - nights)
            audited(simulated(folder / f"before-{nights}", 6000 * nights, nights, start), folder / f"full-{nights}")
            took = audited(again, folder / f"full-{nights}")
            print(f"| {nights} | {took['wall']:.1f} | {took['cpu']:.1f} | {took['rss']:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
