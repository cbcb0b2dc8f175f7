from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants.argued import LIST, change
from tests.mutants.options import Score

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]


def test_a_change_is_told_by_its_lines_whatever_their_indentation() -> None:
    assert change("a\n  b = 1\nc", "a\n  b = 2\nc") == ("b = 1", "b = 2")
    assert change("a\n  f(\n    1)\nc", "a\n  f()\nc") == ("f( 1)", "f()")


def test_what_is_argued_still_stands_in_its_file() -> None:
    for group in tomllib.loads(LIST.read_text(encoding="utf-8"))["because"]:
        assert group["why"].endswith(".")
        for file, was, _ in group["mutants"]:
            stands = " ".join(line.strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines())
            assert was in stands, (file, was)


def test_fewer_than_95_in_100_noticed_is_not_enough_and_the_missed_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    score = Score()
    for _ in range(19):
        score.add("sql/settle/any.sql", "", "", noticed=True)
    score.add("sql/settle/any.sql", "a = 1", "a = 2", noticed=False)
    assert score.tell("SQL", 20)
    score.add("sql/settle/any.sql", "a = 1", "a = 3", noticed=False)
    assert not score.tell("SQL", 30)
    told = capsys.readouterr().out
    assert "sql/settle/any.sql\n  - a = 1\n  + a = 2\n" in told
    assert told.endswith("SQL: 21 mutants, 19 noticed, 0 argued, 2 missed: 90.5 % noticed\n9 were not reached in time\n")
