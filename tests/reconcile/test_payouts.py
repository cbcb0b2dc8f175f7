from __future__ import annotations

from decimal import Decimal

import polars as pl
import pytest

from pipeline.core.results import SETTLEMENTS
from pipeline.reconcile.payouts import settlements
from tests.support.checks import engine_rows
from tests.support.chunks import make_chunk, make_round
from tests.support.filings import filing, make_filed

FILED = make_filed(filing())


@pytest.mark.parametrize(
    ("paid", "bonus_paid", "expected", "expected_bonus", "delta"),
    [
        ("25.00", None, "20.00", "5.00", "0"),
        ("20.00", "5.00", "20.00", "5.00", "0"),
        ("20.00", "0.00", "20.00", "5.00", "-5"),
        (None, None, "20.00", "5.00", "-25"),
        (None, "5.00", "0.00", "0.00", "5"),
        ("0.000001", None, "0.00", None, "0.000001"),
        ("20.00", None, None, None, None),
        (None, None, None, None, None),
    ],
)
def test_delta_is_all_that_was_paid_less_all_that_was_due(
    paid: str | None, bonus_paid: str | None, expected: str | None, expected_bonus: str | None, delta: str | None
) -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "10.00", paid, bonus_paid)]))
    told = settlements(chunk, engine_rows(chunk, {}, expected=expected, expected_bonus=expected_bonus), FILED)
    assert told["delta"].to_list() == [None if delta is None else Decimal(delta)]


def test_there_is_one_row_for_each_current_wager_in_their_order() -> None:
    old = make_round(wagers=[("ante", "1.00")], revision=1)
    chunk = make_chunk(old, make_round(wagers=[("ante", "2.00"), ("play", "2.00")], revision=2))
    told = settlements(chunk, engine_rows(chunk, {}), FILED)
    assert told.schema == SETTLEMENTS.schema
    assert told["wager_key"].to_list() == chunk.wagers.filter("is_current")["wager_key"].to_list()
    assert told["stake"].to_list() == [Decimal(2), Decimal(2)]
    assert told["filing_id"].to_list() == ["keystone-tcp-2026"] * 2
    assert told["filing_fingerprint"].null_count() == 0


def test_a_wager_without_a_filing_names_none() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "1.00")]))
    told = settlements(chunk, engine_rows(chunk, {}, filing_no=None), FILED)
    assert told.select("filing_id", "filing_fingerprint").row(0) == (None, None)


def test_an_engine_that_settled_other_wagers_is_refused() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "1.00"), ("play", "1.00")]))
    with pytest.raises(ValueError, match="current wagers"):
        settlements(chunk, engine_rows(chunk, {}).reverse(), FILED)
    with pytest.raises(ValueError, match="current wagers"):
        settlements(chunk, engine_rows(chunk, {}).filter(pl.col("wager_key") == 0), FILED)
