"""Nasty rounds and those at the edge of a clause, settled at once: a mutant of the SQL engine is tried against this first.

No test of the default run, which settles one chunk after another. They are few, since a mutant may join each round with each.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core.filed import Filed
from pipeline.core.schema import Chunk
from tests.settle.test_engines_agree import apart
from tests.support.nasty_chunks import edge_chunk, edge_filed, nasty_chunk, nasty_filed

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_engines_agree_on_all_of_it_at_once() -> None:
    assert apart(*_all_of_it()).rows() == []


@cache
def _all_of_it() -> tuple[Chunk, Filed]:
    """One chunk and its filings; tables, rounds and keys of each part are told apart by its number."""
    chunks, filings = zip(*_parts(), strict=True)
    before = [0, *accumulate(filed.filings.height for filed in filings)]
    return Chunk(**_stacked(chunks, before)), Filed(**_stacked(filings, before))


def _stacked(parts: tuple[Any, ...], before: list[int]) -> dict[str, pl.DataFrame]:
    numbered = list(enumerate(zip(parts, before, strict=False)))
    return {
        field.name: pl.concat([_apart(getattr(part, field.name), number, filings) for number, (part, filings) in numbered])
        for field in fields(parts[0])
    }


def _parts() -> Iterator[tuple[Chunk, Filed]]:
    yield edge_chunk(), edge_filed()
    for seed in (169, 484, *range(3)):
        rng = Random(seed)  # noqa: S311 - rounds for a test, the same each time
        filed = nasty_filed(rng)
        yield nasty_chunk(rng), filed


def _apart(frame: pl.DataFrame, number: int, filings_before: int) -> pl.DataFrame:
    names = frame.columns
    texts = [pl.format(f"{{}} {number}", name).alias(name) for name in ("table_id", "round_id") if name in names]
    keys = [pl.col(name) + number * 100_000 for name in names if name.endswith("_key")]
    filings = [pl.col("filing_no") + filings_before] if "filing_no" in names else []
    tables = [pl.col("tables").list.eval(pl.format(f"{{}} {number}", pl.element()))] if "tables" in names else []
    return frame.with_columns(*texts, *keys, *filings, *tables)
