from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prefect.blocks.webhook import Webhook
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey
from prefect.states import Failed
from pydantic import SecretStr

from flows.nightly_audit import _is_io, nightly_audit
from pipeline.core.errors import InputError, UntrustworthyError
from pipeline.stages import Stages
from tests.support.desk import Desk
from tests.support.prefect_server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.store import Bucket

SAMPLE = Path(str(files("sample_data")))
BROKEN_CHECK = """-- check: broken
-- title: A check that cannot run
-- severity: info
-- family: own
-- reach: round
-- question: What is not there?
-- examines: current_rounds

SELECT no_such_column AS message FROM current_rounds
"""


@pytest.fixture(scope="module")
def server() -> Iterator[None]:
    with serving():
        yield


@pytest.mark.usefixtures("server")
def test_a_night_with_findings_completes_and_leaves_its_artifacts(first_rounds: Path, tmp_path: Path) -> None:
    state = nightly_audit([first_rounds], SAMPLE / "filings", tmp_path / "lake", tmp_path / "report", return_state=True)
    assert state.is_completed()
    outcome = state.result()
    assert outcome.report.findings
    assert outcome.exit_code("critical") == 1
    assert outcome.page == tmp_path / "report" / "report.html"
    with get_client(sync_client=True) as client:
        (table,) = client.read_artifacts(artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=["findings"])))
        (link,) = client.read_artifacts(artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=["report"])))
    assert outcome.report.findings[0].check_id in str(table.data)
    assert outcome.page.as_uri() in str(link.data)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("server")
def test_a_webhook_block_is_told_once_from_whichever_machine_and_a_missing_block_fails_nothing(first_rounds: Path, bucket: Bucket) -> None:
    desk = Desk()
    Webhook(url=SecretStr(desk.address), allow_private_urls=True).save("night-desk")
    bucket.put("inbox/rounds.ndjson", first_rounds.read_bytes())
    inbox, lake = str(bucket.address("inbox")), str(bucket.address("lake"))
    for machine in ("one", "two"):
        bucket.machine(machine)
        state = nightly_audit(
            [inbox], SAMPLE / "filings", lake, notify=["webhook/night-desk", "webhook/nowhere"],
            report_address="https://reports.example/night", return_state=True,
        )  # fmt: skip
        assert state.is_completed()
        command = state.result().report.run.command
        assert command == shlex.join(["resettle", "audit", inbox, "--filings", str(SAMPLE / "filings"), "--lake", lake])
    desk.close()
    assert [told["report"] for told in desk.taken] == ["https://reports.example/night"]


@pytest.mark.usefixtures("server")
def test_a_check_that_cannot_run_fails_the_flow_and_says_why(first_rounds: Path, tmp_path: Path) -> None:
    checks = tmp_path / "checks"
    checks.mkdir()
    (checks / "broken.sql").write_text(BROKEN_CHECK)
    state = nightly_audit([first_rounds], SAMPLE / "filings", tmp_path / "lake", checks=checks, return_state=True)
    assert state.is_failed()
    error = state.result(raise_on_failure=False)
    assert isinstance(error, UntrustworthyError)
    assert "broken" in str(error)
    assert (tmp_path / "lake" / "audit.duckdb").exists()


@pytest.mark.usefixtures("server")
def test_a_delivery_that_is_not_there_fails_the_flow(tmp_path: Path) -> None:
    state = nightly_audit([tmp_path / "nothing.ndjson"], SAMPLE / "filings", tmp_path / "lake", return_state=True)
    assert state.is_failed()
    assert isinstance(state.result(raise_on_failure=False), InputError)


@pytest.mark.usefixtures("server")
def test_a_fault_that_quotes_the_data_does_not_quote_it_to_prefect(
    first_rounds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("player-4711")

    fail.__name__ = "read"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Stages, "read", fail)
    state = nightly_audit([first_rounds], SAMPLE / "filings", tmp_path / "lake", return_state=True)
    assert state.is_failed()
    assert "a fault of resettle itself, KeyError" in str(state.message)
    assert "4711" not in str(state.message) + caplog.text


def test_only_a_failing_disk_is_tried_again() -> None:
    assert asyncio.run(_is_io(None, None, Failed(data=OSError("input/output error"))))
    assert not asyncio.run(_is_io(None, None, Failed(data=InputError("truncated archive", "a.ndjson.gz"))))


def commanded(log: Path, folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """What ``python -m flows`` makes of a night in a folder, as from a fresh shell."""
    command = [sys.executable, "-m", "flows", str(log), "--filings", str(SAMPLE / "filings"), "--lake", "lake", "--report", "report"]
    root = Path(__file__).parents[2]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")} | {"PYTHONPATH": str(root)}
    return subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment | settings, capture_output=True, text=True, timeout=500, check=False
    )


@pytest.mark.exhaustive
def test_a_server_of_prefects_that_does_not_start_is_told_in_one_line(first_rounds: Path, tmp_path: Path) -> None:
    ended = commanded(first_rounds, tmp_path, PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="0", TMPDIR=str(tmp_path))
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "Prefect's embedded server did not start (`resettle audit` does the same without it" in ended.stderr
    assert not (tmp_path / "lake").exists()


@pytest.mark.exhaustive
def test_the_command_ends_in_a_summary_and_the_path_of_the_report_without_noise(first_rounds: Path, tmp_path: Path) -> None:
    ended = commanded(first_rounds, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "records in 1 file was read" in ended.stdout
    assert ended.stdout.split()[-1].endswith("report/report.html")
    assert ended.stderr == ""
    players = {person["player_id"] for line in first_rounds.read_text().splitlines() for person in json.loads(line)["participants"]}
    kept = b"".join(path.read_bytes() for path in (tmp_path / ".prefect").rglob("*") if path.is_file())
    assert b"nightly_audit" in kept
    assert [player for player in players if player.encode() in kept] == []
