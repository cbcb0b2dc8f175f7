from __future__ import annotations

import pytest

from pipeline.core.errors import CheckError
from pipeline.reconcile.checks import parse_check, parse_view

GOOD = """-- check: big_stakes
-- title: Stakes above a thousand
-- severity: medium
-- family: house rules
-- reach: round
-- question: Which stakes are above a thousand,
--   whatever their kind?
-- examines: current_wagers where status = 'accepted'
-- unless: currency is null — no currency is logged
-- unless: stake = 0 — nothing was staked on {kind}

-- A comment of any kind may stand here: even key: value.
SELECT table_id, wager_id, 'A stake.' AS message FROM current_wagers WHERE stake > 1000
"""
WHERE = "ours/big_stakes.sql"


def test_a_header_is_read_line_by_line() -> None:
    check = parse_check(GOOD, WHERE, own=True)
    assert (check.check_id, check.severity, check.family, check.reach) == ("big_stakes", "medium", "house rules", "round")
    assert check.own
    assert check.question == "Which stakes are above a thousand, whatever their kind?"
    assert (check.examines.relation, check.examines.condition) == ("current_wagers", "status = 'accepted'")
    assert [(unless.condition, unless.reason) for unless in check.unless] == [
        ("currency is null", "no currency is logged"),
        ("stake = 0", "nothing was staked on {kind}"),
    ]
    assert check.unless[1].columns == ("kind",)


def test_what_it_means_why_it_matters_and_what_to_do_are_an_operators_to_say_or_not() -> None:
    assert parse_check(GOOD, WHERE, own=True).means is None
    said = "-- unless: currency is null — no currency is logged\n-- means: A stake: large.\n-- matters: It\n--   does.\n-- do: Ask.\n"
    check = parse_check(GOOD.replace("-- unless: currency is null — no currency is logged\n", said), WHERE, own=True)
    assert (check.means, check.matters, check.do) == ("A stake: large.", "It does.", "Ask.")


def test_the_sql_keeps_its_lines_so_that_an_error_names_the_line_of_the_file() -> None:
    lines = parse_check(GOOD, WHERE, own=True).select.splitlines()
    assert lines[12].startswith("SELECT table_id")


def test_a_row_may_stand_for_many_subjects() -> None:
    text = GOOD.replace("current_wagers where status", "round_sorts by wagers where status")
    examines = parse_check(text, WHERE, own=True).examines
    assert (examines.relation, examines.number, examines.condition) == ("round_sorts", "wagers", "status = 'accepted'")


def test_what_a_check_suspects_is_named_once_or_more() -> None:
    suspects = "-- suspects: seats where may_repeat\n-- suspects: disagreements\n"
    check = parse_check(GOOD.replace("-- unless: stake", f"{suspects}-- unless: stake"), WHERE, own=True)
    assert [(told.relation, told.condition) for told in check.suspects] == [("seats", "may_repeat"), ("disagreements", "true")]
    assert check.line_of("suspects") == f"{WHERE}:10"
    assert check.line_of("needs") == f"{WHERE}:1"
    assert parse_check(GOOD, WHERE, own=True).suspects == ()


def test_a_population_without_a_condition_is_all_of_it() -> None:
    text = GOOD.replace(" where status = 'accepted'", "")
    assert parse_check(text, WHERE, own=True).examines.condition == "true"


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("-- title: Stakes above a thousand", "-- titel: Stakes", ":2", "unknown header key 'titel'"),
        ("-- title: Stakes above a thousand", "-- title", ":2", "must read '-- key: value'"),
        ("-- severity: medium", "-- severity: grave", ":3", "'severity' is 'grave'"),
        ("-- severity: medium\n", "", ":1", "lacks 'severity'"),
        ("-- severity: medium", "-- title: again", ":3", "'title' stands twice"),
        ("-- reach: round", "-- reach: year", ":5", "'reach' is 'year'"),
        ("-- check: big_stakes", "-- check: small_stakes", ":1", "not the file's name"),
        ("current_wagers where", "current wagers where", ":8", "'examines' must read"),
        ("status = 'accepted'", "true) FROM t; DROP TABLE t; SELECT count(*) FILTER (WHERE true", ":8", "exactly one SELECT"),
        ("-- unless: currency is null — no currency is logged", "-- suspects: stake > 5", ":9", "'suspects' must read"),
        ("currency is null — no currency is logged", "currency is null - no currency", ":9", "'unless' must read"),
        ("SELECT table_id", "SELEC table_id", ":13", "syntax error"),
        ("SELECT table_id", "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT table_id", "", "Duplicate CTE name"),
        ("SELECT table_id", "DELETE FROM wagers; SELECT table_id", "", "exactly one SELECT"),
        ("SELECT table_id", "CREATE TABLE mine AS SELECT table_id", "", "exactly one SELECT"),
        ("SELECT table_id", "COPY wagers TO 'mine.csv'; SELECT table_id", "", "exactly one SELECT"),
    ],
)
def test_what_is_malformed_is_told_with_file_and_line(old: str, new: str, where: str, what: str) -> None:
    with pytest.raises(CheckError) as raised:
        parse_check(GOOD.replace(old, new), WHERE, own=True)
    assert raised.value.where == WHERE + where
    assert what in raised.value.what


def test_a_check_of_the_contract_keeps_the_contracts_severity_and_family() -> None:
    text = GOOD.replace("big_stakes", "duplicate_card").replace("house rules", "cards")
    with pytest.raises(CheckError, match="'severity' is 'medium'"):
        parse_check(text, "sql/checks/duplicate_card.sql")


def test_a_family_of_ones_own_is_for_operators_only() -> None:
    with pytest.raises(CheckError, match="'family' is 'house rules'"):
        parse_check(GOOD, "sql/checks/big_stakes.sql")


def test_a_view_of_the_lake_has_no_reach_and_is_not_under_the_checks() -> None:
    assert parse_view("-- voids by authoriser\nSELECT 1\n", "sql/views/voids.sql") is None
    view = parse_view("-- view: faults\n-- title: Faults\n-- reach: round\n\nSELECT 1\n", "sql/views/faults.sql")
    assert view is not None
    assert (view.name, view.reach) == ("faults", "round")
