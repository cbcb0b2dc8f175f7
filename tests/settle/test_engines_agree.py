"""The two engines on the same rounds: every column of every wager, over random rounds of the worst kind and over every deal there is."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest

from pipeline.core.schema import ENGINE
from pipeline.settle.wagers import settle
from tests.support.nasty_chunks import nasty_chunk, nasty_filed
from tests.support.twins import twin


def differences(seed: int) -> pl.DataFrame:
    """Wager, column and both values wherever the engines differ on the chunk of this seed."""
    rng = Random(seed)
    filed, chunk = nasty_filed(rng), nasty_chunk(rng)
    ours, theirs = settle(chunk, filed), twin().settle(chunk, filed)
    assert ours.schema == theirs.schema == ENGINE.schema
    assert ours["wager_key"].to_list() == theirs["wager_key"].to_list() == chunk.wagers.filter("is_current")["wager_key"].to_list()
    told = [
        pl.select(wager_key=ours["wager_key"], column=pl.lit(name), polars=ours[name].cast(pl.String), sql=theirs[name].cast(pl.String))
        for name in ENGINE.schema.names()
    ]
    return pl.concat(told).filter(pl.col("polars").ne_missing(pl.col("sql"))).sort("wager_key", "column")


@pytest.mark.parametrize("seed", range(12))
def test_engines_agree_on_nasty_rounds(seed: int) -> None:
    assert differences(seed).rows() == []


@pytest.mark.exhaustive
def test_engines_agree_on_many_nasty_rounds() -> None:
    assert {seed: found.rows() for seed in range(12, 412) if not (found := differences(seed)).is_empty()} == {}
