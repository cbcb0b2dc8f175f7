"""What is summed over a whole partition once its rows are written: daily totals, counts and the conservation of money."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.schema import DUE
from pipeline.lake.facts import Conserved, WalletConserved
from pipeline.lake.scan import over_files, sql_text
from pipeline.lake.tables import DAILY_TOTALS, NIGHT_COUNTS, PARTITION_TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

    from pipeline.core.theory import Theory

_NEEDED = ("rounds", "settlements", "findings", "wallet", "reconciliation")
_TOTALS = (DAILY_TOTALS, NIGHT_COUNTS)


def summed_up(files: Mapping[str, Path], theory: Theory) -> tuple[dict[str, pl.DataFrame], list[Conserved], list[WalletConserved]]:
    """What is summed over a partition.

    Args:
        files: table to its Parquet file; ``rounds``, ``settlements``, ``findings``, ``wallet`` and ``reconciliation`` are read, and count
            as empty where they are missing.
        theory: what the filings in force keep on average.

    Returns:
        ``daily_totals`` and ``night_counts``, sorted by all of their keys; and the conservation of money, as it goes on record, to the
        studio's report and from there to the wallet.
    """
    found = {table: [files[table]] for table in _NEEDED if table in files}
    with over_files({table: PARTITION_TABLES[table] for table in _NEEDED}, found) as con:
        totals = {table.name: con.sql(sql_text("totals", f"{table.name}.sql")).pl() for table in _TOTALS}
        totals[DAILY_TOTALS.name] = _beside_theory(totals[DAILY_TOTALS.name], theory)
        conserved = [
            Conserved(row["operator_id"], row["currency"], *(f"{row[name]:f}" for name in ("paid", "due", "explained", "difference")))
            for row in conservation(con).iter_rows(named=True)
        ]
        moved: pl.DataFrame = con.sql(sql_text("views", "wallet_conservation.sql")).pl()
    amounts = ("reported", "wallet", "explained", "unreached", "difference")
    wallet = [
        WalletConserved(row["operator_id"], row["currency"], *(f"{row[name]:f}" for name in amounts)) for row in moved.iter_rows(named=True)
    ]
    return {table.name: totals[table.name].cast(table.schema) for table in _TOTALS}, conserved, wallet


def _beside_theory(totals: pl.DataFrame, theory: Theory) -> pl.DataFrame:
    edges, holds = [], []
    for row in totals.select("filing_fingerprint", "kind", "funding", "settlement", "handle", "wagers", "currency").iter_rows(named=True):
        expected = theory.get((row["filing_fingerprint"], row["kind"]))
        judged = expected is not None and row["funding"] == "cash" and row["settlement"] == "settled"
        edges.append(None if expected is None else str(expected.edge))
        holds.append(expected.hold(row["handle"], row["wagers"], row["currency"]) if expected is not None and judged else None)
    return totals.with_columns(pl.Series("house_edge", edges, pl.String), pl.Series("theoretical_hold", holds, DUE))


def conservation(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """Paid, due, explained and the difference, for each studio, gaming day, operator and currency.

    Args:
        con: a connection that holds ``settlements`` and ``findings``, as tables, views or frames.

    Returns:
        studio_id, gaming_day, operator_id, currency, paid, due, explained, difference (DECIMAL(38,6), major units). A difference
        other than 0 means that some money was lost between the settlements and the findings.
    """
    found: pl.DataFrame = con.sql(sql_text("views", "conservation.sql")).pl()
    return found
