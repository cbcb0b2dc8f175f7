"""What both kinds of mutants are asked with, and how they tell what came of it."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Final

from tests.mutants.argued import why

ROOT: Final = Path(__file__).parents[2]
ENOUGH: Final = 0.95
UNTIL_NOW: Final = ("origin/main...HEAD", "HEAD~1")
"""What git is asked for, in this order: what a branch brings, else the last commit; a clone without history knows neither."""


def parsed(words: str | None) -> argparse.Namespace:
    """The words of the command line."""
    options = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("paths", nargs="*", help="files, from the project's folder")
    options.add_argument("--changed", action="store_true", help="the files that git says have changed, where it knows, else a few")
    options.add_argument("--since", help="since this commit, else since the main branch or the last commit")
    options.add_argument("--minutes", type=float, default=6000, help="stop after so long; what was left out is said")
    options.add_argument("--share", type=float, default=1, help="this share of the mutants, drawn by a fixed seed")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many at once")
    return options.parse_args()


def chosen(given: argparse.Namespace, folders: tuple[str, ...], suffix: str, few: tuple[str, ...]) -> list[str]:
    """The files that are meant, from the project's folder: those named, those changed, or all of these folders."""
    every = [path.relative_to(ROOT).as_posix() for folder in folders for path in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    if given.paths:
        named = [Path(name).resolve().relative_to(ROOT).as_posix() for name in given.paths]
        return [name for name in every if any(name == one or name.startswith(f"{one}/") for one in named)]
    if not given.changed:
        return every
    told = _changed((given.since,) if given.since else UNTIL_NOW)
    return [name for name in every if name in (few if told is None else told)]


def _changed(since: tuple[str, ...]) -> set[str] | None:
    git = shutil.which("git") or "git"
    for commit in since:
        told = subprocess.run([git, "diff", "--name-only", commit], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
        if told.returncode == 0 and (told.stdout or commit == since[-1]):
            return set(told.stdout.split())
    return None


class Score:
    """How many mutants were noticed, and how many of the others are argued. Counted in one process."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, file: str, was: str, now: str, *, noticed: bool) -> None:
        """Count a mutant, and print it where it is neither noticed nor argued."""
        what = "noticed" if noticed else "argued" if why(file, was, now) else "missed"
        self.counts[what] += 1
        if what == "missed":
            print(f"{file}\n  - {was}\n  + {now}", flush=True)
        if (tried := self.counts.total()) % 50 == 0:
            print(f"({tried} tried, {self.counts['missed']} missed)", flush=True)

    def tell(self, kind: str, planned: int) -> bool:
        """Print the sum; whether enough was noticed of what is not argued."""
        noticed, argued, missed = (self.counts[what] for what in ("noticed", "argued", "missed"))
        tried = noticed + argued + missed
        share = noticed / (noticed + missed) if noticed + missed else 1
        print(f"{kind}: {tried} mutants, {noticed} noticed, {argued} argued, {missed} missed: {100 * share:.1f} % noticed", flush=True)
        if tried < planned:
            print(f"{planned - tried} were not reached in time")
        return share >= ENOUGH
