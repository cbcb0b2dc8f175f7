"""Charts of a studio's nights: the order in which the nights stand, and one scale for what is drawn over each other."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import vl_convert

from pipeline.report.charts import history_charts
from pipeline.report.parts import Figure

if TYPE_CHECKING:
    import pytest


def figure(subject: str, tonight: date, *before: date) -> Figure:
    """Nights that each come to one more than the one before, the first to 100."""
    nights = tuple((day, Decimal(100 + number)) for number, day in enumerate(before))
    return Figure("studio-7", tonight, subject, None, "USD", Decimal(100 + len(before)), nights)


def labels(svg: str) -> list[str]:
    """The nights under a chart, from left to right."""
    found = re.findall(r"<text [^>]*translate\(([-0-9.]+),[^>]*>([0-9]{2}-[0-9]{2})</text>", svg)
    return [night for _, night in sorted(found, key=lambda one: float(one[0]))]


def test_nights_stand_in_order_across_a_new_year() -> None:
    (chart,) = history_charts([figure("rounds", date(2027, 1, 2), date(2026, 12, 30), date(2026, 12, 31), date(2027, 1, 1))])
    assert labels(chart.svg) == ["12-30", "12-31", "01-01", "01-02"]


def test_the_same_day_of_two_years_is_two_nights() -> None:
    (chart,) = history_charts([figure("rounds", date(2026, 11, 3), date(2025, 11, 3))])
    assert labels(chart.svg) == ["11-03", "11-03"]


def test_line_and_points_share_one_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[dict[str, Any]] = []

    def drawing(spec: dict[str, Any], **_: Any) -> str:
        drawn.append(spec)
        return "<svg></svg>"

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", drawing)
    nights = date(2026, 11, 3), date(2026, 11, 1), date(2026, 11, 2)
    history_charts([figure("handle", *nights), figure("hold", *nights)])
    (line,) = [spec for spec in drawn if "layer" in spec]
    scales = [part["encoding"]["y"]["scale"] for part in (line, *line["layer"]) if "y" in part.get("encoding", {})]
    assert scales
    assert all(scale == {"zero": False} for scale in scales)
