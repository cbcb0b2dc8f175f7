"""How well causes and the bounds of incidents are found: each root cause planted alone and throughout, among the noise of all the others.

``python bench/causes.py`` simulates a studio day in which every fault of money that is one broken rule is planted twice: as an incident
of some hundred rounds at a table of its own time, and here and there by itself at every table, all of them mixed. It audits the day and
prints a Markdown table, cause by cause. Pass ``--folder`` to keep the simulated files and use them again.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

import polars as pl

from pipeline.ask.query import connect
from pipeline.audit import Request, audit
from pipeline.reconcile.incident_runs import LEAST_RUN
from pipeline.simulate import Settings, simulate
from pipeline.simulate.faults import FAULTS
from pipeline.simulate.settings import MOST_ROUNDS_A_DAY, Incident, TableSpec

LONG: Final = 200
"""Rounds of an incident."""

APART: Final = 50
"""Rounds between two incidents of a table."""

KINDS: Final = ("shared", "draw", "seated")
_PART = "CASE WHEN kind IN ('ante', 'play') THEN 'main' ELSE kind END"


def planned(seed: int, noise: float) -> Settings:
    """A day with every cause once throughout at a table of each kind, and all of them here and there at this rate."""
    names = [name for name, fault in FAULTS.items() if fault.twist and fault.cause]
    a_table = (MOST_ROUNDS_A_DAY - APART) // (LONG + APART)
    tables: list[TableSpec] = []
    incidents = []
    for kind in KINDS:
        for place in range(0, len(names), a_table):
            tables.append(TableSpec(f"T{len(tables) + 1:02}", kind))
            for turn, name in enumerate(names[place : place + a_table]):
                first = APART + turn * (LONG + APART)
                incidents.append(Incident(name, tables[-1].table_id, first, first + LONG - 1))
    rates = {name: noise for name, fault in FAULTS.items() if fault.cause}
    rounds = MOST_ROUNDS_A_DAY * len(tables)
    return Settings(seed, rounds=rounds, tables=tuple(tables), incidents=tuple(incidents), faults=rates, players=3, jobs=2)


def found_in(lake: Path, folder: Path, settings: Settings) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What was planted, wager by wager, with what the audit says of it; and the systematic incidents of the lake."""
    spans = pl.DataFrame(
        [(FAULTS[one.fault].cause, one.table_id, one.first, one.last) for one in settings.incidents],
        schema=["planted", "table_id", "first", "last"], orient="row",
    )  # fmt: skip
    with connect(lake) as con:
        named = con.sql(
            f"""SELECT f.table_id, f.round_id, f.wager_id, r.round_key, r.sequence, {_PART} AS part, root_cause, root_causes, incident_id
            FROM findings AS f JOIN wagers AS w USING (studio_id, gaming_day, round_id, wager_id)
            JOIN rounds AS r USING (studio_id, gaming_day, round_id)
            WHERE root_cause IS NOT NULL AND w.is_current AND r.is_current"""
        ).pl()
        incidents = con.sql("FROM incidents WHERE extent = 'systematic'").pl()
    truth = pl.read_ndjson(folder / "truth.ndjson").filter(pl.col("root_cause").is_not_null())
    told = truth.select("round_id", "wager_id", planted="root_cause").join(named, on=["round_id", "wager_id"], how="left")
    thus = told.join(spans, on=["planted", "table_id"], how="left").with_columns(
        throughout=pl.col("sequence").is_between("first", "last").fill_null(value=False)
    )
    return thus, incidents


def table_of(told: pl.DataFrame, incidents: pl.DataFrame) -> pl.DataFrame:
    """A row a cause: wagers planted, named first and named at all; incidents planted, found, named and bounded exactly."""
    wager = told.with_columns(
        first_named=pl.col("root_cause") == pl.col("planted"), named=pl.col("root_causes").list.contains(pl.col("planted"))
    )
    each = wager.group_by("planted").agg(
        wagers=pl.len(), first=pl.col("first_named").fill_null(value=False).sum(), named=pl.col("named").fill_null(value=False).sum()
    )
    precision = wager.group_by(planted="root_cause").agg(claimed=pl.len(), rightly=pl.col("first_named").sum())
    strikes = (
        told.filter("throughout").sort("round_key").group_by("planted", "table_id", "part")
        .agg(wrong=pl.len(), first_round=pl.col("round_id").first(), last_round=pl.col("round_id").last())
        .filter(pl.col("wrong") >= LEAST_RUN).with_row_index("strike")
    )  # fmt: skip
    pairs = strikes.join(incidents, left_on=["table_id", "part"], right_on=["table_id", "kind"])
    known = (pl.col("root_cause") == pl.col("planted")) | pl.col("also_explained_by").list.contains(pl.col("planted")).fill_null(
        value=False
    )
    exact = (pl.col("first_round") == pl.col("first_round_id")) & (pl.col("last_round") == pl.col("last_round_id"))
    best = pairs.group_by("strike").agg(
        found=(pl.col("root_cause") == pl.col("planted")).any(), told=known.any(), exact=(known & exact).any()
    )  # fmt: skip
    extent = strikes.join(best, on="strike", how="left").group_by("planted").agg(
        pl.len().alias("incidents"), *(pl.col(name).fill_null(value=False).sum() for name in ("found", "told", "exact"))
    )  # fmt: skip
    right = pairs.filter(known & (pl.col("first_round_id") <= pl.col("last_round")) & (pl.col("last_round_id") >= pl.col("first_round")))
    # Faults that were planted one by one on hands dealt for them: where no other such hand came, the table's day shows them as one.
    lone = told.join(incidents.select("incident_id", claimed="root_cause"), on="incident_id").group_by("incident_id").agg(
        gathered=2 * (pl.col("planted") == pl.col("claimed")).sum() > pl.len()
    )  # fmt: skip
    rest = incidents.join(right, on="incident_id", how="anti").join(lone, on="incident_id", how="left")
    gathered = pl.col("gathered").fill_null(value=False)
    false = rest.group_by(planted="root_cause").agg(gathered=gathered.sum(), false=(~gathered).sum())
    return (
        each.join(precision, on="planted", how="full", coalesce=True).join(extent, on="planted", how="full", coalesce=True)
        .join(false, on="planted", how="full", coalesce=True).fill_null(0).sort("planted")
    )  # fmt: skip


def share(part: int, whole: int) -> str:
    """A share in whole per cent, never rounded up, or nothing of nothing."""
    return f"{100 * part // whole} %" if whole else "-"


def row(name: str, of: dict[str, int]) -> str:
    """A line of the table."""
    recall = f"{share(of['named'], of['wagers'])} | {share(of['first'], of['wagers'])}"
    wagers = f"{of['wagers']:,} | {recall} | {share(of['rightly'], of['claimed'])}"
    return f"| {name} | {wagers} | {of['incidents']} | {of['told']} | {of['found']} | {of['exact']} | {of['gathered']} | {of['false']} |"


def main() -> None:
    """Simulate, audit, print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("--noise", type=float, default=0.001, help="share of rounds in which each fault is planted by itself")
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    settings = planned(given.seed, given.noise)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch) / "day"
        if not (folder / "rounds.ndjson").exists():
            simulate(settings, folder)
        lake = Path(scratch) / "lake"
        outcome = audit(Request((folder / "rounds.ndjson",), folder / "filings", lake))
        assert not outcome.report.untrusted, outcome.report.untrusted
        found = table_of(*found_in(lake, folder, settings))
        with connect(lake) as con:
            ((wagers,),) = con.sql("SELECT count(*) FROM wagers").fetchall()
    versions = ", ".join(f"{name} {version(name)}" for name in ("polars", "duckdb"))
    print(f"{platform.machine()}, {platform.system()}, 2 cores, Python {platform.python_version()}, {versions}; {wagers:,} wagers,")
    tables = f"{len(settings.tables)} tables, incidents of {LONG} rounds"
    print(f"{tables}, each fault by itself in {given.noise:.1%} of all rounds, seed {given.seed}\n")
    print("| root cause | wrong payments | named | named first | first and right ", end="")
    print("| incidents | told | told first | bounds exact | gathered | false |")
    print("|---" * 11 + "|")
    for one in found.iter_rows(named=True):
        print(row(one["planted"], one))
    print(row("**all**", {name: found[name].sum() for name in found.columns if name != "planted"}))


if __name__ == "__main__":
    main()
