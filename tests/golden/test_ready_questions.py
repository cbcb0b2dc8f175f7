"""Each ready question's example, asked of the sample day, has the answer that lies beside it in ``questions/``."""

from __future__ import annotations

import csv
import json
import shlex
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.ask.questions import Question, questions
from pipeline.audit import Request, audit
from pipeline.report.model import build_report
from tests.support.command_line import resettle
from tests.support.golden import kept

ANSWERS = Path(__file__).parent / "questions"


def answer(asked: Question, lake: Path) -> str:
    words = [str(lake) if word == "lake" else word for word in shlex.split(asked.example)[1:]]
    ended = resettle(*words, "--format", "csv")
    assert ended.exit_code == 0, ended.output
    return ended.stdout


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked.name)
def test_the_example_of_each_question_has_its_answer_on_the_sample_day(
    asked: Question, whole_sample: Path, request: pytest.FixtureRequest
) -> None:
    told = answer(asked, whole_sample)
    assert told == kept(request, ANSWERS / f"{asked.name}.csv", told)


def test_what_players_were_paid_too_little_is_what_the_report_says(whole_sample: Path) -> None:
    rows = csv.DictReader(answer(next(one for one in questions() if one.name == "players_shorted"), whole_sample).splitlines())
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in rows:
        sums[row["currency"]] += Decimal(row["paid_too_little"])
    assert sums
    assert sums == {money.currency: money.underpaid for money in build_report(whole_sample).money if money.underpaid}


@pytest.fixture(scope="module")
def told_again(sample: Path, first_rounds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first rounds of the sample day; then the first of them told in another way, beside a line that is cut off."""
    folder = tmp_path_factory.mktemp("told_again")
    lines = first_rounds.read_bytes().splitlines(keepends=True)
    first = json.loads(lines[0])
    again = folder / "again.ndjson"
    again.write_bytes(json.dumps({**first, "revision": 2, "dealer_id": "D999"}).encode() + b"\n" + lines[1][:200])
    lake = folder / "lake"
    for log in (first_rounds, again):
        audit(Request((log,), sample / "filings", lake))
    return lake


@pytest.mark.parametrize(
    ("name", "told"), [("quarantine_reasons", "again.ndjson,2"), ("restated_rounds", "round_restated"), ("dealers_and_errors", "D999")]
)
def test_what_the_sample_day_has_not_is_answered_where_it_is(name: str, told: str, told_again: Path) -> None:
    (asked,) = (one for one in questions() if one.name == name)
    assert told in answer(asked, told_again)


def test_only_what_is_asked_above_has_no_answer_on_the_sample_day() -> None:
    empty = {file.stem for file in ANSWERS.glob("*.csv") if len(file.read_text(encoding="utf-8").splitlines()) < 2}
    assert empty == {"quarantine_reasons", "finding_life"}
    assert {file.stem for file in ANSWERS.glob("*.csv")} == {asked.name for asked in questions()}
