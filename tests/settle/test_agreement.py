"""The engines held against each other."""

from __future__ import annotations

from decimal import Decimal

import polars as pl
import pytest

from pipeline.core.errors import UntrustworthyError
from pipeline.core.schema import ENGINE
from pipeline.settle.agreement import compare, settled_result
from pipeline.settle.wagers import settle
from tests.support.chunks import make_chunk, make_round
from tests.support.filings import filing, make_filed
from tests.support.settled import STRAIGHT


@pytest.fixture
def ours() -> pl.DataFrame:
    told = make_round(wagers=[("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00")], player=STRAIGHT)
    return settle(make_chunk(told), make_filed(filing()))


def changed(ours: pl.DataFrame, wager_key: int, **values: object) -> pl.DataFrame:
    is_it = pl.col("wager_key") == wager_key
    return ours.with_columns(
        pl.when(is_it).then(pl.lit(value, ENGINE.schema[name])).otherwise(name).alias(name) for name, value in values.items()
    )


def test_engines_that_agree_differ_nowhere(ours: pl.DataFrame) -> None:
    differing = compare(ours, ours.clone())
    assert differing.is_empty()
    assert settled_result(ours, differing).equals(ours)


def test_a_difference_in_the_last_digit_is_one(ours: pl.DataFrame) -> None:
    differing = compare(ours, changed(ours, 0, expected_bonus=Decimal("10.000001")))
    assert differing.rows() == [(0, "expected_bonus", "10.000000", "10.000001")]


def test_null_and_nothing_are_different(ours: pl.DataFrame) -> None:
    differing = compare(ours, changed(ours, 2, expected=None, dealer_qualifies=None))
    assert differing.select("wager_key", "column", "twin").rows() == [(2, "expected", None), (2, "dealer_qualifies", None)]


def test_reasons_and_wording_are_not_compared(ours: pl.DataFrame) -> None:
    assert compare(ours, changed(ours, 0, rule="another", odds="1:1")).is_empty()


def test_a_wager_in_doubt_is_unsettleable_and_the_others_stand(ours: pl.DataFrame) -> None:
    got = settled_result(ours, compare(ours, changed(ours, 1, outcome="push", expected=Decimal(1))))
    assert got.schema == ENGINE.schema
    row = got.row(1, named=True)
    assert (row["settlement"], row["settlement_reason"]) == ("unsettleable", "engine_disagreement")
    assert [row[name] for name in ("outcome", "line", "odds", "expected", "expected_bonus", "rule")] == [None] * 6
    assert got.filter(pl.col("wager_key") != 1).equals(ours.filter(pl.col("wager_key") != 1))


def test_engines_that_settled_other_wagers_cannot_be_compared(ours: pl.DataFrame) -> None:
    with pytest.raises(UntrustworthyError) as refused:
        compare(ours, ours.head(2))
    assert str(refused.value) == "settlement: the engines did not settle the same wagers (3 and 2 rows) (report this as a fault)"
