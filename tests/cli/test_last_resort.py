from __future__ import annotations

import re
import tempfile
from typing import TYPE_CHECKING

import duckdb
import pytest

from pipeline.last_resort import in_words
from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def audit_that_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Result:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr("pipeline.commands.audit.audit", fail)
    return resettle("audit", "x.ndjson", "--filings", "f", "--lake", folder / "lake")


def test_a_fault_that_nobody_foresaw_is_one_line_and_its_details_are_kept_for_this_user_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended = audit_that_raises(KeyError("player-4711"), monkeypatch, tmp_path)
    assert ended.exit_code == 2
    assert ended.stdout == ""
    way_out = r"the lake holds its last whole state; report this; details: (.*)"
    said = rf"resettle: audit.py:\d+: a fault of resettle itself, KeyError \({way_out}\)\n"
    found = re.fullmatch(said, ended.stderr)
    assert found is not None, ended.stderr
    (kept,) = tmp_path.glob("resettle-fault-*.txt")
    assert str(kept) == found[1]
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "player-4711" in kept.read_text()
    assert "Traceback" in kept.read_text()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device", "/x/y"), "/x/y: the disk is full, or a file may not grow so large (make room"),
        (OSError("No space left on device (os error 28)"), "the disk is full"),
        (duckdb.IOException("Could not write: No space left on device"), "the disk is full"),
        (MemoryError(), "there is not enough memory (free some"),
        (duckdb.OutOfMemoryException("limit"), "there is not enough memory"),
        (PermissionError(13, "Permission denied", "/x/y"), "/x/y: permission denied (see to it"),
    ],
)
def test_what_the_machine_lacks_is_named(error: Exception, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert said in str(in_words(error))


def test_a_stop_by_hand_ends_in_130(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ended = audit_that_raises(KeyboardInterrupt(), monkeypatch, tmp_path)
    assert ended.exit_code == 130
    assert ended.stderr == "resettle: stopped; the lake holds its last whole state\n"
