"""What later deliveries ask of a night, from its files: worked out once, when it is published, and kept in the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.lake.facts import Lookback

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CLOCKS: Final = ("dated_at", "recorded_at", "opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at", "void_at")
"""The times of a round by which a studio's deliveries go on."""


def still_open() -> pl.Expr:
    """Whether a row of ``rounds`` is a round that stands and is not at its end."""
    return pl.col("is_current") & pl.col("status").is_in(["open", "interrupted"])


def look_back(files: Mapping[str, Path]) -> Lookback:
    """What is to be kept of a night.

    Args:
        files: table to its Parquet file; ``rounds`` and ``findings`` are read, and count as empty where they are missing.
    """
    if "rounds" not in files:
        return Lookback()
    rounds = pl.scan_parquet(files["rounds"], glob=False)
    findings = (
        pl.scan_parquet(files["findings"], glob=False).select("check_id", "table_id", "round_id")
        if "findings" in files
        else FINDINGS.empty().lazy()
    )
    told = findings.filter(pl.col("check_id") == "open_round_aged")
    newest, waiting, gaps = pl.collect_all(
        [
            rounds.select(pl.max_horizontal(pl.col(clock).max() for clock in CLOCKS)),
            rounds.filter(still_open()).select("round_id").unique().join(told, on="round_id", how="anti"),
            findings.filter(pl.col("check_id") == "sequence_gap").select("table_id").drop_nulls().unique(),
        ]
    )
    return Lookback(newest.item(), waiting.height, sorted(gaps["table_id"]))
