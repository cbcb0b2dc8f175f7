"""Do the tests notice a fault in the SQL? ``python -m tests.mutants.sql [PATH...]`` makes one at a time and runs a fast part of them.

A path is a file or folder below ``sql/settle/`` or ``sql/checks/``; without one it is all of both, with ``--changed`` those that git says
have changed. Prints each mutant that no test noticed and that is not argued in ``survivors.toml``, and how many there were; ends with 1
where fewer than 95 % of those not argued were noticed. The argued ones are not tried.
"""

from __future__ import annotations

import random
import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Final

from pipeline.settle.twin import FIRST_OF_A_CHUNK
from tests.mutants.argued import change, why
from tests.mutants.options import ROOT, Score, chosen, parsed
from tests.mutants.trials import Bench, Trial
from tests.support.mutants import mutants

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS: Final = ("sql/settle", "sql/checks")
FEW: Final = ("sql/settle/95_cap_cuts.sql", "sql/settle/40_bets_made.sql", "sql/checks/play_not_equal_ante.sql")
"""What is mutated where git does not know what has changed."""

_AGREE, _RANKING = "tests/settle/test_engines_agree.py", "tests/settle/test_twin_ranking.py"
_CLAUSES: Final = ("tests/settle/test_twin_clauses.py", "tests/settle/test_twin_money.py")
_NIGHT: Final = "tests/mutants/one_check.py"
_ROUNDS: Final = "tests/mutants/one_settlement.py"
_SHOWN: Final = dict.fromkeys(
    ("50_counted_readings.sql", "60_hand_state.sql"), ("tests/checks/test_cards.py", "tests/golden/test_untidy_night.py")
)
"""What a file of the engine says beyond what it settles by: told by checks alone."""


def main() -> None:
    """Mutate, test, tell."""
    given = parsed(__doc__)
    drawn = random.Random(1)  # noqa: S311
    files = [ROOT / name for name in chosen(given, FOLDERS, ".sql", FEW)]
    every = [Trial(file, one, *_tests(file)) for file in files for one in mutants(file.read_text()) if drawn.random() < given.share]
    drawn.shuffle(files)
    drawn.shuffle(every)
    every.sort(key=lambda trial: files.index(trial.path))
    score = Score()

    def tell(trial: Trial, noticed: bool) -> None:
        score.add(*_change(trial), noticed=noticed)

    for trial in every:
        if why(*_change(trial)):
            tell(trial, noticed=False)
    trials = [trial for trial in every if not why(*_change(trial))]
    if trials and not Bench(trials, given.jobs, time.monotonic() + given.minutes * 60, tell).run():
        sys.exit("the tests fail without a mutant")
    sys.exit(not score.tell("SQL", len(every)))


@cache
def _change(trial: Trial) -> tuple[str, str, str]:
    """The file, and its lines before and after."""
    return trial.path.relative_to(ROOT).as_posix(), *change(trial.path.read_text(), trial.mutant.text)


@cache
def _tests(file: Path) -> tuple[tuple[str, ...], str | None, tuple[str, ...]]:
    """The files of the tests that may notice a fault in this one, the word that they name it by, and those that are asked first."""
    if file.parent.name == "settle":
        first = (_RANKING,) if file.name < FIRST_OF_A_CHUNK else (_ROUNDS,)
        return (_AGREE, *_CLAUSES, *_SHOWN.get(file.name, ())), None, first
    every = [*ROOT.glob("tests/checks/test_*.py"), *ROOT.glob("tests/filings/test_*_checks.py")]
    named = [test for test in every if file.stem in test.read_text()]
    return tuple(test.relative_to(ROOT).as_posix() for test in sorted(named)), file.stem, (_NIGHT,)


if __name__ == "__main__":
    main()
