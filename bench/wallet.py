"""How much a wallet's ledger adds to an audit: time and peak memory with it and without, each in a process of its own.

``python bench/wallet.py --wagers 3000000`` simulates a day with its ledger (about two entries a wager), audits it both ways, and prints a
Markdown table. Pass ``--folder`` to keep the simulated files and use them again, and ``--ways with`` to leave one way out.
"""

from __future__ import annotations

import argparse
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pipeline.ask.query import connect
from pipeline.audit import Request, audit
from pipeline.simulate import Settings, simulate

LOG, LEDGER = "rounds.ndjson.zst", "wallet.ndjson.zst"


def measured(folder: Path, lake: Path, *, wallet: bool) -> None:
    """Audit the day in this process and print a row of the table."""
    start = time.perf_counter()
    ledger = (folder / LEDGER,) if wallet else ()
    outcome = audit(Request((folder / LOG,), folder / "filings", lake, wallet=ledger))
    seconds = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with connect(lake) as con:
        counts = con.sql(
            "SELECT (SELECT count(*) FROM wagers), (SELECT count(*) FROM wallet), (SELECT count(*) FROM reconciliation)"
        ).fetchall()[0]
    said = " | ".join(f"{count:,}" for count in counts)
    name = "with the ledger" if wallet else "without"
    print(f"| {name} | {said} | {seconds:.1f} | {usage.ru_utime + usage.ru_stime:.1f} | {usage.ru_maxrss / 1024:,.0f} |")
    assert not outcome.report.untrusted, outcome.report.untrusted


def main() -> None:
    """Simulate, measure both ways, print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wagers", type=int, default=1_000_000)
    options.add_argument("--folder", type=Path)
    options.add_argument("--ways", nargs="*", default=["without", "with"], choices=("without", "with"))
    options.add_argument("--measure", choices=("with", "without"))
    options.add_argument("--lake", type=Path)
    given = options.parse_args()
    if given.measure:
        measured(given.folder, given.lake, wallet=given.measure == "with")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "day"
        if not (folder / LEDGER).exists():
            simulate(Settings(seed=7, wagers=given.wagers, jobs=2, compression="zst"), folder)
        print(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}\n")
        print("| audit | wagers | ledger entries | lines compared | seconds | processor seconds | peak memory, MiB |")
        print("|---|---|---|---|---|---|---|")
        for way in given.ways:
            lake = (given.lake or Path(scratch)) / way
            command = [sys.executable, __file__, "--measure", way, "--folder", str(folder), "--lake", str(lake)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
