"""Diagnose hand-made rounds and look at the causes by wager id."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from pipeline.core.results import FINDINGS
from pipeline.reconcile.causes.cases import only_rounds
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
    diagnosis = Diagnosis(filed)
    wrong = []
    for part in _cut(chunk, chunks):
        settled = settlements(part, settle(part, filed), filed)
        diagnosis.examine(part, settled)
        wrong.append(settled.filter(pl.col("delta") != 0))
    if diagnosis.needs_weighing:
        for part in _cut(chunk, chunks):
            diagnosis.weigh(part)
    told = pl.concat(wrong).select("round_id", "wager_id", check_id=pl.lit(check))
    findings = pl.concat([FINDINGS.empty(), told], how="diagonal")
    return {
        row["wager_id"]: Cause(row["root_cause"], row["root_causes"], row["root_cause_detail"])
        for row in diagnosis.diagnosed(findings).iter_rows(named=True)
    }


def diagnosed_one(*wagers: Any, under: list[Row] | None = None, **fields: Any) -> dict[str, Cause]:
    """The same for one round r1 of one participant p1, by wager kind. A wager is ``(kind, stake, paid)``; ``paid`` may be left out."""
    found = diagnosed(make_round(wagers=list(wagers), **fields), under=under)
    return {name.removeprefix("r1-p1-"): cause for name, cause in found.items()}


def _cut(chunk: Chunk, parts: int) -> Iterator[Chunk]:
    keys = chunk.rounds["round_key"].sort()
    size = -(-keys.len() // parts)
    for start in range(0, keys.len(), size):
        yield only_rounds(chunk, keys.slice(start, size))
