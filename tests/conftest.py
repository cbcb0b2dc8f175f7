"""What every room's tests may ask for: the sample day, and a lake that was audited from it once.

A run of all tests fails, too, where some check was never seen to fire or never seen to stay silent: the processes of the tests say at their
end which they have seen, and what is missing is told under the results.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from pipeline.audit import Outcome, Request, audit
from tests.support.checks import FIRED, SILENT, unproved
from tests.support.store import Bucket, served

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE = Path(str(files("sample_data")))

# A busy machine is no fault of what is tested.
settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--kills N`` and ``--poison N``: N audits killed, or N files of each format poisoned, at random instead of the usual few."""
    parser.addoption("--kills", type=int, default=0, help="kill so many audits at random moments (tests/trust/test_kills.py)")
    parser.addoption("--poison", type=int, default=0, help="poison so many files of each format at random (tests/trust/test_fuzz.py)")


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


@pytest.fixture(scope="session")
def object_server() -> Iterator[str]:
    """The address of a server that speaks as S3 does."""
    with served() as address:
        yield address


@pytest.fixture
def bucket(object_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """A new bucket, and this process reaches it."""
    return Bucket.made(object_server, tmp_path / "machines", monkeypatch)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker says which checks it has seen; the whole run fails where one was not seen both ways."""
    config = session.config
    if (said := getattr(config, "workeroutput", None)) is not None:
        said["checks_seen"] = (sorted(FIRED), sorted(SILENT))
    elif _is_whole(config) and session.exitstatus == pytest.ExitCode.OK and unproved(FIRED, SILENT):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take up what a worker has seen."""
    fired, silent = getattr(node, "workeroutput", {}).get("checks_seen", ((), ()))
    FIRED.update(fired)
    SILENT.update(silent)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the checks that were not seen both ways."""
    if _is_whole(config) and (missing := unproved(FIRED, SILENT)):
        terminalreporter.section("checks without a test of either kind")
        terminalreporter.write_line("\n".join(missing))


def _is_whole(config: pytest.Config) -> bool:
    """Whether all tests were asked for, but those that only `make exhaustive` runs."""
    option = config.option
    picked = option.keyword or option.deselect or option.collectonly or getattr(option, "lf", False)
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and option.markexpr == "not exhaustive" and not picked
