"""What every room's tests may ask for: the sample day, and a lake that was audited from it once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from pipeline.audit import Outcome, Request, audit

SAMPLE = Path(str(files("sample_data")))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--kills N``: kill N audits at random moments instead of the usual few."""
    parser.addoption("--kills", type=int, default=0, help="kill so many audits at random moments (tests/trust/test_kills.py)")


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of the sample day."""
    return SAMPLE


@pytest.fixture(scope="session")
def first_rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of the first forty rounds of the sample day."""
    log = tmp_path_factory.mktemp("first") / "rounds.ndjson"
    log.write_bytes(b"".join((SAMPLE / "rounds.ndjson").read_bytes().splitlines(keepends=True)[:40]))
    return log


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """A lake with the sample day in it, not to be changed, and how the audit ended."""
    lake = tmp_path_factory.mktemp("audited") / "lake"
    totals, roster = SAMPLE / "control-totals.csv", SAMPLE / "roster.csv"
    return lake, audit(Request((SAMPLE / "rounds.ndjson",), SAMPLE / "filings", lake, control_totals=totals, roster=roster))
