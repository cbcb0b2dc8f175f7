"""Nights prepared in the staging folder of a run, each in any process and at any time, until the run is published.

What a worker is given is a path, a digest and a night; what it gives back is a count. Each try writes into a folder of its own and moves
what it has made to its place in the end, so that a worker that was given up on and still works can do no harm.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import msgspec

from pipeline.lake import disk
from pipeline.lake.layout import PLAN, folder_name
from pipeline.night import Settled
from pipeline.settling import Settling
from pipeline.steps import Unwatched

if TYPE_CHECKING:
    from pipeline.reopened import Night

_TRIES: Final = "tries"
_PREPARED: Final = "prepared"


@dataclass(frozen=True, slots=True)
class Prepare:
    """Prepares one night after another; may be sent to another machine that sees the lake under the same path.

    Attributes:
        staging: the run's staging folder.
        plan: SHA-256 of its plan, so that no worker goes by an old one.
    """

    staging: str
    plan: str

    @classmethod
    def by(cls, staging: Path) -> Prepare:
        """By the plan that lies in a staging folder."""
        return cls(str(staging), hashlib.sha256((staging / PLAN).read_bytes()).hexdigest())

    def __call__(self, night: Night) -> int:
        """Settle, check and write a night; returns how many rounds it has."""
        disk.narrow_permissions()
        staging = Path(self.staging)
        attempt = staging / _TRIES / uuid4().hex
        disk.make_folder(attempt)
        settled = _opened(self.staging, self.plan).settle(night, attempt, Unwatched())
        for table in settled.facts.tables.values():
            if table.file is not None:
                disk.move(attempt / table.file, staging / table.file)
        record = _record(night)
        disk.write(attempt / record, msgspec.json.encode(settled))
        disk.move(attempt / record, staging / record)
        shutil.rmtree(attempt)
        return settled.facts.tables["rounds"].rows if "rounds" in settled.facts.tables else 0


def prepared(staging: Path, night: Night) -> Settled | None:
    """What came of a night; None where it was not prepared, or not all of what was written is there as it was."""
    path = staging / _record(night)
    if not path.exists():
        return None
    settled = msgspec.json.decode(path.read_bytes(), type=Settled)
    written = [table for table in settled.facts.tables.values() if table.file is not None]
    is_whole = all((staging / str(one.file)).is_file() and disk.sha256(staging / str(one.file)) == one.sha256 for one in written)
    return settled if is_whole else None


@lru_cache(maxsize=1)
def _opened(staging: str, plan: str) -> Settling:
    del plan
    return Settling.opened(Path(staging))


def _record(night: Night) -> str:
    return f"{_PREPARED}/{folder_name(night[0])}/{night[1].isoformat()}.json"
