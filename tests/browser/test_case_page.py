"""The case file's page as a browser shows it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import CHROMIUM, FAINT, OPENED, WHY_NOT, Browser
from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_NOT)


@pytest.fixture(scope="module")
def case(audited: tuple[Path, Outcome], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page about every round of a table: corrections, folds, findings and an incident among them."""
    lake, outcome = audited
    table = next(one.table_id for one in outcome.report.worst if one.round_id)
    out = tmp_path_factory.mktemp("case") / "case"
    made = resettle("case", "--table", table, "--lake", lake, "--out", out, "--reveal")
    assert made.exit_code == 0, made.output
    return out / "case.html"


@pytest.mark.parametrize("width", [412, 1280])
def test_a_case_opens_without_an_error_and_loads_nothing(browser: Browser, case: Path, width: int) -> None:
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
    browser.open(case)
    assert browser.requests == [case.resolve().as_uri()]
    assert browser.problems == []
    assert browser.evaluate("document.scripts.length") == 0
    assert browser.evaluate("document.querySelectorAll('main section h3').length") > 1
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_headings_tables_and_pictures_speak_and_no_text_is_faint(browser: Browser, case: Path) -> None:
    browser.open(case)
    levels = browser.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))")
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert browser.evaluate("[...document.querySelectorAll('svg')].every(s => s.getAttribute('role') == 'img' && s.querySelector('title'))")
    assert browser.evaluate("document.querySelectorAll('svg.timeline text').length") > 10
    assert browser.evaluate("document.querySelectorAll('del .card').length") > 0
    assert browser.evaluate("document.querySelectorAll('.card.red').length") > 0
    assert browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)") is None
    assert browser.evaluate(FAINT) == []


def test_it_prints_whole_within_the_paper_and_without_what_is_for_the_screen(browser: Browser, case: Path) -> None:
    """A sheet of A4 between its margins is 680 pixels wide."""
    browser.call("Emulation.setDeviceMetricsOverride", width=680, height=960, deviceScaleFactor=1, mobile=False)
    browser.open(case)
    assert browser.evaluate(OPENED) is False
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert browser.evaluate("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible"
    assert browser.evaluate(OPENED) is True
    assert browser.evaluate("document.documentElement.scrollWidth") <= 680
    assert browser.evaluate(FAINT) == []
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.call("Emulation.clearDeviceMetricsOverride")
    assert len(browser.call("Page.printToPDF")["data"]) > 50_000
