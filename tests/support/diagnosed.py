"""Diagnose hand-made rounds and look at the causes by wager id."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.reconcile.causes.cases import only_rounds
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.diagnose import Diagnosis
from pipeline.reconcile.payouts import settlements
from pipeline.settle.wagers import settle
from tests.support.chunks import Row, make_chunk, make_round
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk


class Cause(NamedTuple):
    """What a finding says of its cause."""

    first: str | None
    all: list[str] | None
    detail: str | None


def diagnosed(*rounds: Row, under: list[Row] | None = None, chunks: int = 1, check: str = "payout_mismatch") -> dict[str, Cause]:
    """The causes of each wrongly paid wager of these rounds, the night cut into this many chunks."""
    filed = make_filed(*([filing()] if under is None else under))
    return diagnosed_chunk(make_chunk(*rounds), filed, chunks=chunks, check=check)


def diagnosed_chunk(chunk: Chunk, filed: Filed, *, chunks: int = 1, check: str = "payout_mismatch") -> dict[str, Cause]:
    """The same for a chunk."""
    found, _ = night_of(chunk, filed, chunks=chunks, check=check)
    return {row["wager_id"]: Cause(row["root_cause"], row["root_causes"], row["root_cause_detail"]) for row in found.iter_rows(named=True)}


def incidents_of(*rounds: Row, under: list[Row] | None = None, chunks: int = 1) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Findings and incidents of these rounds, as the lake holds them."""
    return night_of(make_chunk(*rounds), make_filed(*([filing()] if under is None else under)), chunks=chunks)


def night_of(chunk: Chunk, filed: Filed, *, chunks: int = 1, check: str = "payout_mismatch") -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same for a chunk; each wager that was not paid what was due has one finding."""
    diagnosis = Diagnosis(filed)
    wrong = []
    for part in _cut(chunk, chunks):
        settled = settlements(part, settle(part, filed), filed)
        diagnosis.examine(part, settled)
        wrong.append(settled.filter(pl.col("delta") != 0))
    if diagnosis.needs_weighing:
        for part in _cut(chunk, chunks):
            diagnosis.weigh(part)
    told = pl.concat(wrong).select(
        "table_id", "round_id", "wager_id", "operator_id", "player_id", "currency", "delta", finding_id="wager_id",
        check_id=pl.lit(check), severity=pl.when(pl.col("play_mode") == "test").then(pl.lit("info")).otherwise(pl.lit("critical")),
    )  # fmt: skip
    findings = pl.concat([FINDINGS.empty(), told], how="diagonal")
    return diagnosis.diagnosed(findings, chunk.rounds.lazy(), RunContext("run", "studio-7", date(2026, 11, 3)))


def diagnosed_one(*wagers: Any, under: list[Row] | None = None, **fields: Any) -> dict[str, Cause]:
    """The same for one round r1 of one participant p1, by wager kind. A wager is ``(kind, stake, paid)``; ``paid`` may be left out."""
    found = diagnosed(make_round(wagers=list(wagers), **fields), under=under)
    return {name.removeprefix("r1-p1-"): cause for name, cause in found.items()}


def _cut(chunk: Chunk, parts: int) -> Iterator[Chunk]:
    keys = chunk.rounds["round_key"].sort()
    size = -(-keys.len() // parts)
    for start in range(0, keys.len(), size):
        yield only_rounds(chunk, keys.slice(start, size))
