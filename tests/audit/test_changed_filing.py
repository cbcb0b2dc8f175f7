from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.audit import Request, audit
from pipeline.core.errors import FilingError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def filings(sample: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample / "filings", tmp_path / "filings")


def test_a_filing_that_means_something_else_needs_a_higher_revision(filings: Path, first_rounds: Path, tmp_path: Path) -> None:
    request = Request((first_rounds,), filings, tmp_path / "lake")
    assert not audit(request).repeated
    file = filings / "keystone-main-2026.toml"
    asked = file.read_text()
    file.write_text("# a comment changes nothing\n" + asked)
    assert audit(request).repeated
    changed = asked.replace("forfeited_by_fold = true", "forfeited_by_fold = false", 1)
    assert changed != asked
    file.write_text(changed)
    with pytest.raises(FilingError, match=r"keystone-main-2026 revision 1 is not the one this lake rests on .*revision = 2"):
        audit(request)
    file.write_text(changed.replace('id = "keystone-main-2026"', 'id = "keystone-main-2026"\nrevision = 2', 1))
    assert not audit(request).repeated
