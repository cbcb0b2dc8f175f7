from __future__ import annotations

import tomllib
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.mutants import python, sql
from tests.mutants.argued import LIST, change
from tests.mutants.options import Score, chosen

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


def test_where_git_does_not_know_what_has_changed_a_few_files_are_meant() -> None:
    asked = Namespace(paths=[], changed=True, since="no-such-commit")
    assert sorted(chosen(asked, sql.FOLDERS, ".sql", sql.FEW)) == sorted(sql.FEW)
    assert chosen(asked, python.FOLDERS, ".py", python.FEW) == list(python.FEW)
    named = Namespace(paths=["sql/checks"], changed=False, since=None)
    assert all(name.startswith("sql/checks/") for name in chosen(named, sql.FOLDERS, ".sql", sql.FEW))


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
