from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.audit import Request, audit

if TYPE_CHECKING:
    from pathlib import Path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the answers anew: pytest tests/golden -n 0 --write-golden")


@pytest.fixture(scope="session")
def whole_sample(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake with everything that the sample day gives, not to be changed."""
    lake = tmp_path_factory.mktemp("whole_sample") / "lake"
    beside = {"control_totals": sample / "control-totals.csv", "roster": sample / "roster.csv"}
    audit(Request((sample / "rounds.ndjson",), sample / "filings", lake, wallet=(sample / "wallet.ndjson",), **beside))  # type: ignore[arg-type]
    return lake
