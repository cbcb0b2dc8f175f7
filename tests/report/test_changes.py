from __future__ import annotations

import re
import shutil
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pipeline.report import history, html
from pipeline.report.model import build_report
from pipeline.report.wording import answers
from tests.support.lake import DAY
from tests.support.reported import published

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.model import Report


def night(lake: Path, number: int, wagers: int, found: int = 0) -> Report:
    """The night ``number`` days after the first."""
    findings = [{"finding_id": [f"f{number}-{one}" for one in range(found)]}] if found else []
    return published(lake, [{}] * wagers, findings, gaming_day=DAY + timedelta(days=number), run_id=f"{number:032x}")


@pytest.fixture(scope="module")
def seventh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with seven nights; the last has the most wagers and the first findings."""
    lake = tmp_path_factory.mktemp("nights") / "lake"
    for number in range(6):
        night(lake, number, wagers=1 + number % 3)
    night(lake, 6, wagers=9, found=2)
    return lake


def figure(report: Report, subject: str) -> tuple[object, ...]:
    found = next(one for one in report.figures if one.subject == subject)
    return found.value, found.lowest, found.median, found.highest, found.beyond


def test_a_night_stands_beside_those_before_it(seventh: Path) -> None:
    report = build_report(seventh)
    assert [value for _, value in report.figures[0].before] == [2] * 6
    assert figure(report, "rounds") == (2, 2, 2, 2, None)
    assert figure(report, "wagers") == (9, 1, 2, 3, "more")
    assert figure(report, "handle") == (90, 10, 20, 30, "more")
    assert figure(report, "hold") == (-100, -100, -100, -100, None)
    assert figure(report, "findings") == (2, 0, 0, 0, "more")
    told = "Beside the 6 nights before: 1 check found more than on any of them; wagers: more than on any of them; handle, USD: more than"
    assert any(one.text.startswith(told) and not one.good for one in answers(report))
    assert "more than on any" in html.render(report)


def test_only_the_small_totals_of_earlier_nights_are_read(seventh: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(seventh, lake)
    for file in (lake / "tables").rglob("*.parquet"):
        if file.parent.name != f"gaming_day={DAY + timedelta(days=6)}" and file.parts[-4] not in {"daily_totals", "night_counts"}:
            file.unlink()
    assert figure(build_report(lake), "wagers") == (9, 1, 2, 3, "more")


def test_an_earlier_run_is_held_against_the_nights_before_it(seventh: Path) -> None:
    report = build_report(seventh, f"{2:032x}")
    assert [day for day, _ in report.figures[0].before] == [DAY, DAY + timedelta(days=1)]
    assert "2 nights: too few to tell" in html.render(report)
    assert not any("Beside" in one.text for one in answers(report))


def test_no_more_than_thirty_nights_count(seventh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert history.NIGHTS == 30
    monkeypatch.setattr(history, "NIGHTS", 2)
    assert figure(build_report(seventh), "wagers") == (9, 2, Decimal("2.5"), 3, None)


def test_a_studio_without_an_earlier_night_says_so(tmp_path: Path) -> None:
    assert "The lake holds no earlier night of this studio." in html.render(night(tmp_path / "lake", 0, wagers=1))


def test_charts_are_drawn_into_the_page_with_their_text(seventh: Path) -> None:
    page = html.render(build_report(seventh))
    pictures = re.findall(r'<svg role="img" aria-label="([^"]+)"', page)
    assert len(pictures) == page.count("<svg") == 4
    assert pictures[2] == "Handle, USD, night by night; this night dark: 90.00 on 2026-11-09; 10.00 to 30.00 on the 6 nights before."
    assert "url(" not in page
    assert "<script" not in page
    assert page == html.render(build_report(seventh))


def test_no_chart_is_drawn_where_there_is_no_night_to_compare(seventh: Path) -> None:
    assert "<svg" not in html.render(build_report(seventh, f"{0:032x}"))
