from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from pipeline.ask.questions import Parameter, questions, read_question
from pipeline.core.errors import CheckError, ResettleError
from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from pipeline.audit import Outcome

HEADER = ["-- query: mine", "-- subject: money", "-- question: What?", "-- example: resettle ask mine --lake lake"]


def ask(*words: str | Path) -> Result:
    return resettle("ask", *words)


def test_the_list_says_what_there_is_to_ask_and_what_one_question_takes() -> None:
    told = ask("--list").stdout
    assert all(f"  {one.name} " in told and one.text in told for one in questions())
    assert len(questions()) >= 20
    assert ask("biggest_payouts", "--list").stdout.splitlines() == [
        "biggest_payouts: Which were the biggest payouts in each currency, and were they due?",
        "  day: one gaming day (date, optional)",
        "  table: one table (text, optional)",
        "  most: how many in each currency (number; 10 where it is left out)",
        "  resettle ask biggest_payouts --lake lake --param most=5",
    ]
    assert "round: the round (text)" in ask("round_story", "--list").stdout


def test_a_parameter_narrows_the_answer_and_stays_out_of_the_sql(audited: tuple[Path, Outcome]) -> None:
    lake = audited[0]
    told = ask("dealer_rounds", "--lake", lake, "--param", "dealer=D005", "--format", "csv").stdout
    assert len(told.splitlines()) == 8
    hostile = ask("dealer_rounds", "--lake", lake, "--param", "dealer=D005' OR '1'='1", "--format", "csv")
    assert (hostile.exit_code, len(hostile.stdout.splitlines())) == (0, 1)
    assert (
        len(
            ask(
                "dealer_rounds", "--lake", lake, "--param", "dealer=D005", "--param", "day=2026-10-30", "--format", "csv"
            ).stdout.splitlines()
        )
        == 1
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "a question is missing"),
        (("voids",), "--lake is missing"),
        (("viods", "--lake", "LAKE"), "there is no ready question viods (nearest: voids"),
        (("qqqq", "--lake", "LAKE"), "resettle ask --list shows them all"),
        (("round_story", "--lake", "LAKE"), "wants to know round: the round (like: resettle ask round_story"),
        (("voids", "--lake", "LAKE", "--param", "table=T"), "has no parameter table (it has: day (optional), by (optional))"),
        (("voids", "--lake", "LAKE", "--param", "day"), "'day' is not a name and a value"),
        (("voids", "--lake", "LAKE", "--param", "by=a", "--param", "by=b"), "by is given twice"),
        (("voids", "--lake", "LAKE", "--param", "day=31.10.2026"), "--param day: '31.10.2026' is not a date like 2026-10-31"),
        (("biggest_payouts", "--lake", "LAKE", "--param", "most=ten"), "'ten' is not a whole number"),
        (("voids", "--lake", "nowhere"), "there is no lake here"),
    ],
)
def test_an_error_in_use_is_one_line_that_ends_in_2(words: tuple[str, ...], said: str, audited: tuple[Path, Outcome]) -> None:
    ended = ask(*(audited[0] if word == "LAKE" else word for word in words))
    assert (ended.exit_code, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert said in ended.stderr


def test_a_table_shows_every_column(audited: tuple[Path, Outcome]) -> None:
    shown = ask("round_wagers", "--lake", audited[0], "--param", "round=TCP-02-0000050").stdout
    assert "…" not in shown
    assert "pair_plus.forfeited_by_fold" in shown


def test_a_parameter_reads_its_kind() -> None:
    told = "-- param day (date, optional): d\n-- param most (number, 7): m\n-- param who (text): w\n"
    asked = read_question("mine.sql", "\n".join(HEADER) + f"\n{told}\nSELECT $day, $most, $who")
    assert asked.parameters == (
        Parameter("day", "date", "d", required=False),
        Parameter("most", "number", "m", required=False, default=7),
        Parameter("who", "text", "w", required=True),
    )
    assert asked.bound({"who": "x", "day": "2026-10-31"}) == {"day": date(2026, 10, 31), "most": 7, "who": "x"}
    with pytest.raises(ResettleError, match="it has none"):
        read_question("mine.sql", "\n".join(HEADER) + "\n\nSELECT 1").bound({"a": "b"})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({0: "-- query: yours"}, "mine.sql:1: the question is called yours"),
        ({1: "-- subject: weather"}, "no question is about 'weather'"),
        ({2: "-- qestion: What?"}, "mine.sql:3: '-- qestion: What?' is no line of a question's header"),
        ({2: "-- param x (float): X"}, "mine.sql:3: 'float' is no kind of parameter"),
        ({2: "-- param x (text): X"}, "the header lacks '-- question:'"),
        ({3: "-- example: resettle ask other --lake lake"}, "the example does not ask this question"),
    ],
)
def test_a_malformed_header_is_named_with_its_file_and_line(changed: dict[int, str], said: str) -> None:
    lines = [changed.get(number, line) for number, line in enumerate(HEADER)]
    with pytest.raises(CheckError) as error:
        read_question("mine.sql", "\n".join(lines) + "\n\nSELECT 1")
    assert said in str(error.value)
