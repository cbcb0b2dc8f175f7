"""Two deliveries, a lake with the first of them in it, and what a lake looks like from outside while the second is audited."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb

from pipeline.audit import Outcome, Request, audit
from pipeline.lake import relocate, verify
from tests.support.lake import parquet_bytes

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ground:
    """The same for every crash.

    Attributes:
        first: the delivery that stands already.
        second: the delivery whose audit is disturbed.
        filings: what was filed.
        before: a lake with the first.
        after: a lake with both, undisturbed.
    """

    first: Path
    second: Path
    filings: Path
    before: Path
    after: Path

    @classmethod
    def laid(cls, sample: Path, folder: Path) -> Ground:
        lines = (sample / "rounds.ndjson").read_bytes().splitlines(keepends=True)
        ground = cls(folder / "first.ndjson", folder / "second.ndjson", sample / "filings", folder / "before", folder / "after")
        ground.first.write_bytes(b"".join(lines[:6]))
        ground.second.write_bytes(b"".join(lines[6:12]))
        ground.audited(ground.first, ground.before)
        ground.lake(folder, "after")
        ground.audited(ground.second, ground.after)
        return ground

    @cached_property
    def shown_before(self) -> tuple[object, ...]:
        """What the lake with the first delivery shows."""
        return shown(self.before)

    @cached_property
    def shown_after(self) -> tuple[object, ...]:
        """What the lake with both shows."""
        return shown(self.after)

    def lake(self, folder: Path, name: str = "lake") -> Path:
        """A lake of one's own with the first delivery in it."""
        shutil.copytree(self.before, folder / name)
        relocate(folder / name)
        return folder / name

    def audited(self, log: Path, lake: Path) -> Outcome:
        return audit(Request((log,), self.filings, lake))

    def words(self, lake: Path, log: Path | None = None) -> list[str]:
        return ["audit", str(log or self.second), "--filings", str(self.filings), "--lake", str(lake)]

    def comes_whole(self, lake: Path, log: Path | None = None) -> None:
        """Whatever happened to it, the lake shows the last state or the new one, and the audit again ends as if undisturbed."""
        after = self.shown_after
        assert shown(lake) in {self.shown_before, after}
        self.audited(log or self.second, lake)
        assert shown(lake) == after
        assert parquet_bytes(lake) == parquet_bytes(self.after)
        assert verify(lake).strays == ()
        assert {path.name for path in lake.iterdir()} == {path.name for path in self.after.iterdir()}
        assert list((lake / "staging").iterdir()) == []


def doomed(fate: str, words: list[str], **how: object) -> subprocess.Popen[str]:
    """A real process that meets its fate, begun."""
    command = [sys.executable, "-m", "tests.support.doomed", fate, *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)  # type: ignore[call-overload]  # noqa: S603
    assert process.stdout.readline() == "begun\n"
    return process  # type: ignore[no-any-return]


def shown(lake: Path) -> tuple[object, ...]:
    """What ``audit.duckdb`` shows to whoever opens it: the rows of everything in it, the money and the files."""
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as con:
        views = sorted(name for (name,) in con.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall())
        rows = tuple((view, *con.sql(f'SELECT count(*) FROM "{view}"').fetchall()[0]) for view in views)
        sums = "SELECT sum(stake), sum(paid), count(DISTINCT round_id) FROM settlements"
        kept = "SELECT sum(handle), sum(hold), (SELECT list(sha256 ORDER BY sha256) FROM source_files) FROM daily_totals"
        return (*rows, *con.sql(sums).fetchall(), *(str(row) for row in con.sql(kept).fetchall()))
