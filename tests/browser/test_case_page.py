"""The case file's page as a browser shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import CHROMIUM, WHY_NOT, Browser
from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome


pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WHY_NOT)


@pytest.mark.parametrize("width", [412, 1280])
def test_a_case_opens_without_an_error_and_loads_nothing(audited: tuple[Path, Outcome], tmp_path: Path, width: int) -> None:
    lake, outcome = audited
    finding = next(one for one in outcome.report.worst if one.round_id)
    made = resettle("case", "--finding", finding.finding_id, "--lake", str(lake), "--out", str(tmp_path / "case"))
    assert made.exit_code == 0, made.output
    (page,) = (tmp_path / "case").glob("*.html")
    with Browser() as browser:
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        browser.open(page)
        assert browser.requests == [page.resolve().as_uri()]
        assert browser.problems == []
        assert browser.evaluate("document.scripts.length") == 0
        assert finding.round_id in browser.evaluate("document.body.innerText")
        assert browser.evaluate("document.documentElement.scrollWidth") <= width
