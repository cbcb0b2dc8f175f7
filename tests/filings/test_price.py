from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.filings.price import METER_SCALE, Price, read_price


@pytest.mark.parametrize(
    ("written", "price", "text"),
    [
        ("40 to 1", Price("to", 40, 1), "40 to 1"),
        (" 3  to 2 ", Price("to", 3, 2), "3 to 2"),
        ("500 for 1", Price("for", 500, 1), "500 for 1"),
        ({"flat": "1000000.00", "currency": "USD"}, Price("flat", flat=Decimal("1000000.00"), currency="USD"), "flat 1000000.00 USD"),
        ({"meter": "100 %"}, Price("meter", 100 * METER_SCALE, 100 * METER_SCALE), "meter 100 %"),
        ({"meter": "12.5%"}, Price("meter", 12_500_000, 100 * METER_SCALE), "meter 12.5 %"),
    ],
)
def test_the_four_ways_to_write_a_price(written: object, price: Price, text: str) -> None:
    assert read_price(written) == price
    assert price.text == text


@pytest.mark.parametrize(
    "written",
    [
        "40", "40:1", "40 to", "0 to 1", "1 to 0", "-1 to 1", "1.5 to 1", "1e3 to 1", "40 TO 1", "40to1", "٤٠ to 1", "9999999999 to 1", 40,
        True, None, [], {}, {"flat": "1.00"}, {"flat": "1.00", "currency": "usd"}, {"flat": "0.00", "currency": "USD"},
        {"flat": "1e3", "currency": "USD"}, {"meter": "0 %"}, {"meter": "101 %"}, {"meter": 100}, {"meter": "100"},
        {"meter": "100 %", "currency": "USD"},
    ],
)  # fmt: skip
def test_what_is_no_price(written: object) -> None:
    assert read_price(written) is None
