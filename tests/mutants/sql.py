"""Do the tests notice a fault in the SQL? ``python -m tests.mutants.sql [PATH...]`` makes one at a time and runs a fast part of them.

A path is a file below ``sql/``; without one it is all of ``sql/settle/`` and ``sql/checks/``, with ``--changed`` what git says has changed
since ``--since``. Prints each mutant that no test noticed, and how many there were; ends with 1 where fewer than 95 % were noticed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from pipeline.settle.twin import FIRST_OF_A_CHUNK
from tests.support.mutants import Mutant, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
ENOUGH: Final = 0.95
FEW: Final = ("sql/settle/95_cap_cuts.sql", "sql/settle/40_bets_made.sql", "sql/checks/play_not_equal_ante.sql")
"""What is mutated where git does not know what has changed."""

_QUIET: Final = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "-m", "not exhaustive")
_ENGINE: Final = ["tests/settle/test_twin_clauses.py", "tests/settle/test_twin_money.py"]
_RANKING: Final = ["tests/settle/test_twin_ranking.py"]


def main() -> None:
    """Mutate, test, tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("paths", nargs="*", type=Path)
    options.add_argument("--changed", action="store_true", help="the files that git says have changed, else a few")
    options.add_argument("--since", default="HEAD~1", help="since this commit")
    options.add_argument("--minutes", type=float, default=600, help="stop after so long; what was left out is said")
    options.add_argument("--share", type=float, default=1, help="this share of the mutants, drawn by a fixed seed")
    given = options.parse_args()
    paths = given.paths or (
        _changed(given.since) if given.changed else sorted([*ROOT.glob("sql/settle/*.sql"), *ROOT.glob("sql/checks/*.sql")])
    )
    drawn = random.Random(1)  # noqa: S311
    every = [(path.resolve(), one) for path in paths for one in mutants(path.read_text()) if drawn.random() < given.share]
    if not every:
        return
    until = time.monotonic() + given.minutes * 60
    noticed, tried = 0, 0
    with _scratch() as scratch:
        for path in dict.fromkeys(path for path, _ in every):
            if _fails(path):
                sys.exit(f"{path.relative_to(ROOT)}: the tests fail without a mutant")
        for path, one in every:
            if time.monotonic() > until:
                break
            tried += 1
            noticed += _noticed(path, one, scratch)
    left = f"; {len(every) - tried} were not reached" if tried < len(every) else ""
    print(f"{noticed} of {tried} mutants noticed ({100 * noticed / max(tried, 1):.1f} %){left}")
    sys.exit(noticed < ENOUGH * tried)


def _changed(since: str) -> list[Path]:
    git = shutil.which("git") or "git"
    told = subprocess.run([git, "diff", "--name-only", since], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if told.returncode:
        return [ROOT / name for name in FEW]
    return [ROOT / name for name in told.stdout.split() if name.startswith(("sql/settle/", "sql/checks/")) and (ROOT / name).exists()]


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """A copy of ``sql/`` that is found in place of the project's."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "sql", Path(folder) / "sql")
        (Path(folder) / "sql" / "__init__.py").touch()
        sys.modules.pop("sql", None)
        sys.path.insert(0, folder)
        importlib.import_module("sql")
        sys.path.remove(folder)
        yield Path(folder)


def _noticed(path: Path, one: Mutant, scratch: Path) -> bool:
    file = scratch / path.relative_to(ROOT)
    sound = file.read_text()
    file.write_text(one.text)
    try:
        noticed = _fails(path)
    finally:
        file.write_text(sound)
    if not noticed:
        print(f"{path.relative_to(ROOT)}:{one.line}: {' '.join(one.before.split())!r} → {' '.join(one.after.split())!r}", flush=True)
    return noticed


def _fails(path: Path) -> bool:
    """Whether a fast part of the tests fails: in this process, which has imported what is slow to import, with all else anew."""
    for name in [name for name in sys.modules if name.startswith(("tests.", "pipeline."))]:
        if name != "tests.support.mutants":
            del sys.modules[name]
    part = [str(file) for file in ROOT.glob("tests/checks/test_*.py") if path.stem in file.read_text()]
    if path.parent.name == "settle":
        part = _RANKING if path.name < FIRST_OF_A_CHUNK else _ENGINE
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return pytest.main([*_QUIET, *part]) != pytest.ExitCode.OK


if __name__ == "__main__":
    main()
