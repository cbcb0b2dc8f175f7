"""Exact money: no wrap, no float, one rounding."""

from __future__ import annotations

from decimal import Decimal

import polars as pl
import pytest

from pipeline.core.money import MINOR_DIGITS, from_micros, micros, minor_unit
from pipeline.core.schema import DUE, MONEY
from tests.support.chunks import bet, player
from tests.support.filings import filing
from tests.support.settled import PAIR, due, settled_one

LARGEST = "999999999999.999999"


def rounding(price: str, rule: str, kind: str = "pair_plus") -> list[dict[str, object]]:
    table = {"odds": {"pair": price, "straight": price}, "forfeited_by_fold": False, "rounding": rule}
    return [filing(wagers={kind: table}, currencies=["USD", "JPY", "KWD"])]


def test_micros_are_exact_and_come_back() -> None:
    frame = pl.DataFrame({"amount": [Decimal(LARGEST), Decimal("0.000001"), None]}, schema={"amount": MONEY})
    got = frame.select(micros=micros("amount"), back=from_micros(micros("amount")))
    assert got["micros"].to_list() == [10**18 - 1, 1, None]
    assert (got["back"].to_list(), got.schema["back"]) == ([Decimal(LARGEST), Decimal("0.000001"), None], DUE)


def test_the_largest_stake_at_20000_to_1_does_not_wrap() -> None:
    under = [filing(wagers={"pair_plus": {"odds": {"pair": "20000 to 1"}, "forfeited_by_fold": False}})]
    assert due(settled_one(("pair_plus", LARGEST), player=PAIR, under=under)["pair_plus"]) == ("20000999999999999.979999", None)


def test_the_largest_whole_price_on_the_largest_stake_does_not_wrap() -> None:
    under = [filing(wagers={"pair_plus": {"odds": {"pair": f"{10**9} for 1"}, "forfeited_by_fold": False}})]
    assert due(settled_one(("pair_plus", LARGEST), player=PAIR, under=under)["pair_plus"]) == ("999999999999999999000", None)


def test_sums_of_flat_awards_do_not_wrap() -> None:
    frame = pl.DataFrame({"due": [Decimal("1000000.00")]}, schema={"due": DUE})
    assert pl.concat([frame] * 1000).select(pl.col("due").sum()).item() == Decimal("1000000000.00")


@pytest.mark.parametrize(
    ("currency", "stake", "rule", "handed_back"),
    [
        ("USD", "1.01", "exact", "1.346667"),
        ("USD", "1.01", "down", "1.34"),
        ("USD", "1.01", "half_up", "1.35"),
        ("JPY", "101", "exact", "134.666667"),
        ("JPY", "101", "down", "134"),
        ("JPY", "101", "half_up", "135"),
        ("KWD", "1.001", "down", "1.334"),
        ("KWD", "1.001", "half_up", "1.335"),
        ("XYZ", "1.01", "down", "1.34"),
        ("USD", "0.000002", "exact", "0.000003"),
        ("USD", "0.000001", "down", "0"),
    ],
)
def test_rounding_is_to_the_minor_unit_of_the_currency(currency: str, stake: str, rule: str, handed_back: str) -> None:
    got = settled_one(participants=[player(bet("pair_plus", stake), currency=currency)], player=PAIR, under=rounding("1 to 3", rule))
    assert due(got["pair_plus"]) == (handed_back, None)


def test_a_half_goes_up_and_not_to_even() -> None:
    assert due(settled_one(("pair_plus", "0.05"), player=PAIR, under=rounding("1 for 2", "half_up"))["pair_plus"]) == ("0.03", None)
    assert due(settled_one(("pair_plus", "0.000005"), player=PAIR, under=rounding("1 for 2", "exact"))["pair_plus"]) == ("0.000003", None)


def test_a_fraction_is_rounded_once() -> None:
    got = settled_one(("pair_plus", "0.015"), player=PAIR, under=rounding("999999 for 1000000", "half_up"))
    assert due(got["pair_plus"]) == ("0.01", None)


def test_the_ante_bonus_is_rounded_by_its_own_rule_and_the_ante_by_its() -> None:
    wagers = {
        "ante_bonus": {"odds": {"straight": "1 to 3"}, "rounding": "down"},
        "ante": {"odds": {"win": "1 to 3"}, "rounding": "half_up"},
    }
    got = settled_one(("ante", "0.05"), ("play", "0.05"), player="6c 7d 8h", under=[filing(wagers=wagers)])
    assert (due(got["ante"]), due(got["play"])) == (("0.07", "0.01"), ("0.1", None))


def test_minor_units_of_iso_4217() -> None:
    frame = pl.DataFrame({"currency": ["USD", "EUR", "JPY", "KWD", "CLF", "???", None]})
    assert frame.select(minor_unit()).to_series().to_list() == [10_000, 10_000, 1_000_000, 1_000, 100, 10_000, 10_000]
    assert set(MINOR_DIGITS.values()) == {0, 3, 4}
