from __future__ import annotations

import json
import tomllib
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.mutants import likeliest, python, sql
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


def test_what_noticed_others_of_the_module_runs_first_and_then_the_quickest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seconds = {"slow": 2, "quick": 1, "good": 3}
    Path("mutmut-stats.json").write_text(json.dumps({"duration_by_test": seconds}), encoding="utf-8")
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in seconds]
    monkeypatch.setenv("MUTANT_UNDER_TEST", "pipeline.other.x_f__mutmut_1")
    likeliest.pytest_runtest_logreport(SimpleNamespace(failed=True, nodeid="slow"))  # type: ignore[arg-type]
    monkeypatch.setenv("MUTANT_UNDER_TEST", "pipeline.one.x_f__mutmut_1")
    likeliest.pytest_runtest_logreport(SimpleNamespace(failed=True, nodeid="good"))  # type: ignore[arg-type]
    likeliest.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["good", "quick", "slow"]


def test_what_runs_at_import_is_tried_against_the_tests_that_diagnose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "WORK", tmp_path)
    files = ["pipeline/reconcile/causes/cards.py", "pipeline/reconcile/diagnose.py"]
    for file in files:
        meta = tmp_path / "mutants" / f"{file}.meta"
        meta.parent.mkdir(parents=True, exist_ok=True)
        name = f"{file.removesuffix('.py').replace('/', '.')}.x_f__mutmut_1"
        meta.write_text(json.dumps({"exit_code_by_key": {name: None}}), encoding="utf-8")
    known = tmp_path / "mutants" / "mutmut-stats.json"
    seconds = {"tests/reconcile/test_diagnose.py::a": 1, "tests/reconcile/test_payouts.py::b": 1}
    told = {"duration_by_test": seconds, "tests_by_mangled_function_name": {"pipeline.reconcile.diagnose.x_f": ["b"]}}
    known.write_text(json.dumps(told), encoding="utf-8")
    python._widen(files)
    assert json.loads(known.read_text(encoding="utf-8"))["tests_by_mangled_function_name"] == {
        "pipeline.reconcile.causes.cards.x_f": ["tests/reconcile/test_diagnose.py::a"],
        "pipeline.reconcile.diagnose.x_f": ["b"],
    }
