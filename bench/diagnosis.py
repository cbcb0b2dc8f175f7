"""How long the diagnosis of a night takes in which every wager was paid wrongly: time and peak memory, whatever the rest of an audit costs.

``python bench/diagnosis.py --wagers 1000000`` simulates an honest day, pays each of its wagers wrongly in one of five ways by turns (a win
twice, with the stake once more or once less, or not at all; a lost stake handed back), and diagnoses it on this machine's cores.
"""

from __future__ import annotations

import argparse
import dataclasses
import platform
import resource
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.core.schema import MONEY
from pipeline.feeds.delivery import read_delivery
from pipeline.filings.load import load_filings
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.diagnose import Diagnosis
from pipeline.reconcile.payouts import settlements
from pipeline.settle.wagers import settle
from pipeline.simulate import Settings, simulate

if TYPE_CHECKING:
    from pipeline.core.schema import Chunk


def mispaid(chunk: Chunk) -> Chunk:
    """The chunk with every wager paid wrongly."""
    paid, stake, turn = pl.col("paid"), pl.col("stake"), pl.col("wager_key") % 4
    won = pl.when(turn == 0).then(paid * 2).when(turn == 1).then(paid + stake).when(turn == 2).then(paid - stake).otherwise(0)
    wrong = pl.when(paid > 0).then(won).when(paid == 0).then(stake).otherwise(paid)
    return dataclasses.replace(chunk, wagers=chunk.wagers.with_columns(paid=wrong.cast(MONEY)))


def main() -> None:
    """Simulate, diagnose, print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wagers", type=int, default=1_000_000)
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "day"
        if not (folder / "rounds.ndjson").exists():
            simulate(Settings(seed=5, wagers=given.wagers, jobs=2), folder)
        filings = load_filings(folder / "filings")
        stage = read_delivery((folder / "rounds.ndjson",), filings.gaming_days, Path(scratch) / "reading").stage
        (night,) = stage.partitions()
        diagnosis = Diagnosis(filings.filed)
        found, seconds, processor = [], 0.0, 0.0

        def timed(start: tuple[float, float]) -> None:
            nonlocal seconds, processor
            seconds, processor = seconds + time.perf_counter() - start[0], processor + time.process_time() - start[1]

        rounds = []
        for chunk in map(mispaid, stage.chunks(night)):
            settled = settlements(chunk, settle(chunk, filings.filed), filings.filed)
            now = time.perf_counter(), time.process_time()
            diagnosis.examine(chunk, settled)
            timed(now)
            rounds.append(chunk.rounds)
            found.append(settled.filter((pl.col("delta") != 0) & (pl.col("play_mode") == "real")))
        for chunk in map(mispaid, stage.chunks(night)):
            now = time.perf_counter(), time.process_time()
            diagnosis.weigh(chunk)
            timed(now)
        told = pl.concat(found).select(
            "table_id", "round_id", "wager_id", "operator_id", "player_id", "currency", "delta",
            finding_id="wager_id", check_id=pl.lit("payout_mismatch"), severity=pl.lit("critical"),
        )  # fmt: skip
        findings = pl.concat([FINDINGS.empty(), told], how="diagonal")
        now = time.perf_counter(), time.process_time()
        named, incidents = diagnosis.diagnosed(findings, pl.concat(rounds).lazy(), RunContext("run", *night))
        timed(now)
    explained = named.filter(pl.col("root_cause") != "unexplained").height
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    libraries = ", ".join(f"{name} {version(name)}" for name in ("polars", "duckdb"))
    print(f"{platform.machine()}, {platform.system()}, {pl.thread_pool_size()} cores, Python {platform.python_version()}, {libraries}\n")
    print("| money findings | with a cause | incidents | seconds | processor seconds | peak memory, MiB |")
    print("|---|---|---|---|---|---|")
    print(f"| {named.height:,} | {explained:,} | {incidents.height:,} | {seconds:.0f} | {processor:.0f} | {peak:,.0f} |")


if __name__ == "__main__":
    main()
