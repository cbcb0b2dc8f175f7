"""How fast the audit is beside merely parsing the same file, side by side in one run.

``python bench/speed.py --wagers 3000000`` simulates a day, then measures each way of reading it in a process of its own:

- ``lines``: cut the file into lines, nothing more;
- ``parse``: one pass of Polars' JSON decoder into the five typed tables on disk, with no check of any kind;
- ``read``: the project's validated reading into its staging area;
- ``audit``: the whole of ``resettle audit``: validation, both engines, every check, the lake and the report's model.

Prints a Markdown table with seconds, processor seconds, peak memory and the ratio of each to ``parse``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from pipeline.audit import Request, audit
from pipeline.core.schema import CARDS
from pipeline.feeds.delivery import read_delivery
from pipeline.filings.load import load_filings
from pipeline.simulate import Settings, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXT = pl.String
ROUND = pl.Struct(
    {
        **dict.fromkeys(("round_id", "studio_id", "table_id", "filing_id", "dealer_id", "deck_id", "status", "opened_at"), _TEXT),
        **dict.fromkeys(("bets_closed_at", "dealer_revealed_at", "verified_at", "verified_by", "posted_at"), _TEXT),
        "sequence": pl.Int64,
        "card_readings": pl.List(
            pl.Struct({"seq": pl.Int64, "to": _TEXT, "position": pl.Int64, "card": _TEXT, "source": _TEXT, "read_at": _TEXT})
        ),
        "hands": pl.List(pl.Struct({"hand_id": _TEXT, "cards": CARDS})),
        "dealer_hand": CARDS,
        "participants": pl.List(
            pl.Struct(
                {
                    **dict.fromkeys(("player_id", "operator_id", "hand_id", "currency", "decision", "decided_at", "decided_by"), _TEXT),
                    "wagers": pl.List(
                        pl.Struct(dict.fromkeys(("wager_id", "kind", "stake", "placed_at", "paid", "paid_at", "bonus_paid"), _TEXT))
                    ),
                }
            )
        ),
    }
)


def lines(log: Path, work: Path) -> int:
    """Count the lines."""
    del work
    return int(pl.scan_lines(log).select(pl.len()).collect(engine="streaming").item())


def parse(log: Path, work: Path) -> int:
    """Write the five typed tables, unchecked."""
    told = pl.scan_lines(log).select(pl.col("line").str.json_decode(ROUND).alias("r")).unnest("r")
    money, moment = pl.Decimal(18, 6), pl.Datetime("us", "UTC")
    people = told.select("round_id", "participants").explode("participants").unnest("participants")
    wagers = people.select("round_id", "player_id", "wagers").explode("wagers").unnest("wagers")
    frames = {
        "rounds": told.drop("card_readings", "hands", "dealer_hand", "participants").with_columns(
            pl.col("^.*_at$").str.to_datetime(time_zone="UTC")
        ),
        "card_readings": told.select("round_id", "card_readings").explode("card_readings").unnest("card_readings"),
        "hands": told.select("round_id", "hands").explode("hands").unnest("hands"),
        "participants": people.drop("wagers"),
        "wagers": wagers.with_columns(
            pl.col("stake", "paid", "bonus_paid").cast(money), pl.col("placed_at", "paid_at").str.to_datetime(time_zone="UTC").cast(moment)
        ),
    }
    sinks = [frame.sink_parquet(work / f"{name}.parquet", lazy=True) for name, frame in frames.items()]
    pl.collect_all(sinks, engine="streaming")
    return int(pl.scan_parquet(work / "wagers.parquet").select(pl.len()).collect().item())


def read(log: Path, work: Path) -> int:
    """Read, validate and stage."""
    filings = load_filings(log.parent / "filings")
    delivery = read_delivery([log], filings.gaming_days, work / "stage")
    return int(delivery.source_files["accepted"].sum())


def whole_audit(log: Path, work: Path) -> int:
    """Audit."""
    outcome = audit(Request((log,), log.parent / "filings", work / "lake"))
    return sum(money.wagers for money in outcome.report.money)


WAYS: dict[str, Callable[[Path, Path], int]] = {"lines": lines, "parse": parse, "read": read, "audit": whole_audit}


def measure(way: str, log: Path) -> dict[str, float]:
    """Run one way in this process."""
    with tempfile.TemporaryDirectory() as work:
        began = time.perf_counter()
        counted = WAYS[way](log, Path(work))
        wall = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"counted": counted, "wall": wall, "cpu": used.ru_utime + used.ru_stime, "rss": used.ru_maxrss / 1024}


def main() -> None:
    """Simulate, measure each way in a process of its own, print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wagers", type=int, default=300_000)
    options.add_argument("--log", type=Path, help="an existing log (with filings/ beside it) instead of a simulated one")
    options.add_argument("--repeat", type=int, default=1, help="measure each way so often; the fastest counts")
    options.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.way:
        print(json.dumps(measure(given.way, given.log)))
        return
    with tempfile.TemporaryDirectory() as folder:
        log = given.log
        if log is None:
            simulate(Settings(seed=7, wagers=given.wagers), Path(folder))
            log = Path(folder) / "rounds.ndjson"
        found: dict[str, dict[str, float]] = {}
        for _ in range(given.repeat):
            for way in WAYS:
                command = [sys.executable, __file__, "--way", way, "--log", str(log)]
                ended = subprocess.run(command, capture_output=True, text=True, check=True)
                now = json.loads(ended.stdout)
                if way not in found or now["wall"] < found[way]["wall"]:
                    found[way] = now
        tell(found, log)


def tell(found: dict[str, dict[str, float]], log: Path) -> None:
    """Print the table."""
    wagers, size = found["parse"]["counted"], log.stat().st_size
    cpu = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "?"
    )
    print(f"{wagers:,.0f} wagers, {size / 1e6:,.0f} MB ({log.suffix}); {os.cpu_count()} cores ({cpu}), Python {platform.python_version()},")
    print(f"Polars {pl.__version__}, DuckDB {duckdb.__version__}\n")
    print("| way | seconds | CPU seconds | wagers a second | peak MB | times parse | CPU, times parse |\n|---|---|---|---|---|---|---|")
    for way, took in found.items():
        wall, processor = (took[name] / found["parse"][name] for name in ("wall", "cpu"))
        each = f"{took['wall']:.1f} | {took['cpu']:.1f} | {wagers / took['wall']:,.0f} | {took['rss']:,.0f}"
        print(f"| {way} | {each} | {wall:.2f} | {processor:.2f} |")


if __name__ == "__main__":
    main()
