"""The report as a browser shows it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from pipeline.lake import writing
from pipeline.report import html
from pipeline.report.model import build_report
from tests.support.browser import CHROMIUM, FAINT, WHY_NOT, Browser
from tests.support.lake import facts, source_files
from tests.support.reported import HOSTILE, RUN

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_NOT)

SECTIONS = [
    "Is the night complete?",
    "Is the money right?",
    "What went wrong?",
    "What changed?",
    "Is the game behaving?",
    "What was not checked?",
    "How to get the same again",
]
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))"
FOCUSED = """(() => { const at = document.activeElement;
  return at.getAttribute('href') || at.getAttribute('aria-label') || at.id || at.tagName; })()"""


@pytest.fixture(scope="module")
def page(audited: tuple[Path, Outcome], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample day, told by a hostile log."""
    report = audited[1].report
    worst = tuple(
        replace(one, message=f"{HOSTILE} was paid too little", round_id=HOSTILE, wager_id=HOSTILE, table_id=HOSTILE) for one in report.worst
    )
    nights = tuple(replace(one, studio_id=HOSTILE) for one in report.nights)
    written = tmp_path_factory.mktemp("page") / "report.html"
    written.write_text(html.render(replace(report, worst=worst, nights=nights)))
    return written


def test_the_page_answers_in_order_without_an_error_and_loads_nothing(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)") == SECTIONS
    assert browser.evaluate("document.querySelectorAll('.answers li').length") > 5
    assert browser.evaluate("document.querySelectorAll('ol.worst > li').length") > 5
    assert browser.requests == [page.resolve().as_uri()]
    assert browser.problems == []


def test_a_hostile_log_stays_text(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.evaluate("document.scripts.length") == 0
    assert '<script>alert("x")</script>' in browser.evaluate("document.body.innerText")
    assert "<script>" in browser.evaluate("document.title")
    assert browser.evaluate("[...document.querySelectorAll('*')].some(e => [...e.attributes].some(a => a.name.startsWith('on')))") is False
    assert browser.problems == []


def test_the_keyboard_goes_through_the_page_in_its_order(browser: Browser, page: Path) -> None:
    browser.open(page)
    order = []
    for _ in range(10):
        browser.press("Tab")
        order.append(browser.evaluate(FOCUSED))
    links = ["#complete", "#money", "#wrong", "#changes", "#game", "#unchecked", "#again"]
    assert order[:8] == ["#answers", *links]
    assert order[8].startswith("The books of each file")
    assert order[9].startswith("Real money")
    browser.open(page)
    browser.press("Tab")
    assert browser.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    browser.press("Enter")
    assert browser.evaluate(FOCUSED) == "The answers"


def test_headings_tables_and_pictures_speak(browser: Browser, page: Path) -> None:
    browser.open(page)
    levels = browser.evaluate(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert browser.evaluate("[...document.querySelectorAll('table')].every(t => t.caption && t.caption.textContent)")
    assert browser.evaluate("[...document.querySelectorAll('svg')].every(s => s.getAttribute('role') == 'img' && s.ariaLabel)")
    assert browser.evaluate("document.querySelectorAll('figure svg').length") >= 2
    assert browser.evaluate("document.documentElement.lang") == "en"
    assert browser.evaluate(FAINT) == []


@pytest.mark.parametrize("width", [320, 412, 1280])
def test_nothing_runs_out_of_the_page(browser: Browser, page: Path, width: int) -> None:
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
    browser.open(page)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_it_prints_without_what_is_for_the_screen(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert browser.evaluate("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible"
    browser.call("Emulation.setEmulatedMedia", media="")
    assert len(browser.call("Page.printToPDF")["data"]) > 50_000


def test_a_night_without_a_round_says_so(browser: Browser, tmp_path: Path) -> None:
    with writing(tmp_path / "lake") as opened:
        publication = opened.begin(facts(RUN))
        publication.deliver("source_files", source_files("rounds.ndjson", "d" * 64, records=0))
        publication.publish([])
    written = tmp_path / "report.html"
    written.write_text(html.render(build_report(tmp_path / "lake")))
    browser.open(written)
    assert browser.evaluate("document.querySelector('h1').textContent") == "No activity"
    assert browser.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)") == SECTIONS
    assert browser.problems == []


def test_the_browser_does_hear_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    poor = tmp_path / "poor.html"
    poor.write_text('<p style="color: #aaa">faint</p><img src="missing.png"><script>console.error("no")</script>')
    browser.open(poor)
    assert browser.requests == [poor.as_uri(), poor.with_name("missing.png").as_uri()]
    assert any("no" in problem for problem in browser.problems)
    assert len(browser.evaluate(FAINT)) == 1
