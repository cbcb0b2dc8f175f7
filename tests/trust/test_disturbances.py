"""A full disk, a file that changes or fails while it is read, two audits at once, a clock that jumps."""

from __future__ import annotations

import errno
import io
import os
import resource
import shutil
import signal
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.audit import Request, audit
from pipeline.core.errors import InputError
from pipeline.lake import verify
from pipeline.steps import InOrder
from tests.support.crash import doomed, shown
from tests.support.lake import bytes_under, parquet_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.crash import Ground


@pytest.fixture
def lake(ground: Ground, tmp_path: Path) -> Path:
    return ground.lake(tmp_path)


@pytest.fixture
def log(ground: Ground, tmp_path: Path) -> Path:
    """The second delivery, to be disturbed."""
    return shutil.copy(ground.second, tmp_path / ground.second.name)


@pytest.mark.parametrize("room", [1_000, pytest.param(12_000, marks=pytest.mark.exhaustive)])
def test_no_room_on_the_disk_is_said_in_one_line_and_the_lake_stays_whole(room: int, ground: Ground, lake: Path) -> None:
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))
    process = doomed("none", ground.words(lake), preexec_fn=limit)
    said, warned = process.communicate()
    assert process.returncode == 2, warned
    assert said == ""
    assert warned.startswith("resettle: ")
    assert warned.count("\n") == 1
    assert "make room and run this again" in warned
    ground.comes_whole(lake)


BROKEN = r"second\.ndjson: cannot be read: Input/output error"


class Failing(io.FileIO):
    """A file whose disk gives up after a while."""

    good = 0

    def read(self, size: int = -1, /) -> bytes:
        if self.tell() + max(size, 0) > self.good:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)

    def readinto(self, _: Any, /) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


@contextmanager
def a_disk_that_fails(file: Path, monkeypatch: pytest.MonkeyPatch, good: int) -> Iterator[None]:
    opened = Path.open

    def open_(self: Path, *how: Any, **more: Any) -> Any:
        return Failing(self) if self.name == file.name else opened(self, *how, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Failing, "good", good)
        patch.setattr(Path, "open", open_)
        yield


class Meanwhile(InOrder):
    """Something happens once the run is named and before its files are read, or once they are read."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def one(self, stage: Callable[[Any], Any], argument: Any) -> Any:
        if stage.__name__ == "read":
            self._happens()
        return super().one(stage, argument)


def grow(log: Path) -> None:
    with log.open("ab") as file:
        file.write(b'{"more": "to come"')


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        pytest.param(grow, "changed while it was read", marks=pytest.mark.exhaustive),
        (Path.unlink, "no such file"),
        pytest.param(partial(os.truncate, length=900), "changed while it was read", marks=pytest.mark.exhaustive),
    ],
)
def test_a_file_that_changes_or_vanishes_while_it_is_read_is_not_published(
    happens: Callable[[Path], object], said: str, ground: Ground, lake: Path, log: Path
) -> None:
    with pytest.raises(InputError, match=f"second.ndjson: {said}"):
        audit(Request((log,), ground.filings, lake), Meanwhile(lambda: happens(log)))
    assert shown(lake) == shown(ground.before)
    ground.comes_whole(lake)


def test_a_disk_that_fails_in_the_middle_of_a_file_is_said_so(
    ground: Ground, lake: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_disk_that_fails(log, monkeypatch, 0), pytest.raises(InputError, match=BROKEN):
        audit(Request((log,), ground.filings, lake))
    failing = a_disk_that_fails(log, monkeypatch, 1 << 20)
    with pytest.raises(InputError, match=BROKEN):
        audit(Request((log,), ground.filings, lake), Meanwhile(lambda: failing.__enter__() and None))
    failing.__exit__(None, None, None)
    assert shown(lake) == shown(ground.before)
    ground.comes_whole(lake)


def test_of_two_audits_at_once_the_later_refuses_in_words(ground: Ground, lake: Path) -> None:
    one = doomed("stop:read", ground.words(lake))
    os.waitpid(one.pid, os.WUNTRACED)
    other = doomed("none", ground.words(lake))
    _, said = other.communicate()
    assert other.returncode == 2
    assert "another audit is writing to this lake (wait until it has ended, then run this again)" in said
    assert shown(lake) == shown(ground.before)
    one.send_signal(signal.SIGCONT)
    one.communicate()
    assert one.returncode in {0, 1}
    ground.comes_whole(lake)


@pytest.mark.exhaustive
def test_a_clock_that_jumps_changes_no_byte_of_what_is_published(ground: Ground, lake: Path) -> None:
    process = doomed("clock:0", ground.words(lake))
    process.communicate()
    assert process.returncode in {0, 1}
    assert parquet_bytes(lake) == parquet_bytes(ground.after)
    assert bytes_under(lake / "manifests") == bytes_under(ground.after / "manifests")
    assert verify(lake).manifest_sha256 == verify(ground.after).manifest_sha256
