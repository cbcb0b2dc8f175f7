"""Every check and view file of the project: its header, its SQL and the contract's word on it."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from pipeline.reconcile.catalogue import FAMILIES, SEVERITIES, contract_checks
from pipeline.reconcile.checks import INPUTS, Check
from pipeline.reconcile.completion import RESULT_COLUMNS
from tests.support.checks import all_checks, run_checks, unproved
from tests.support.chunks import make_chunk, make_round
from tests.support.filings import filing, make_filed

IDS = sorted(file.name.removesuffix(".sql") for file in files("sql").joinpath("checks").iterdir() if file.name.endswith(".sql"))


@pytest.fixture(params=IDS)
def check(request: pytest.FixtureRequest) -> Check:
    return next(check for check in all_checks().checks if check.check_id == request.param)


def test_the_contract_names_seventy_eight_checks_in_eight_families() -> None:
    named = contract_checks().values()
    assert len(named) == 78
    assert {check.family for check in named} == set(FAMILIES)
    assert {check.severity for check in named} == set(SEVERITIES)


def test_the_money_family_stands_in_its_order_of_precedence() -> None:
    told = tomllib.loads(files("pipeline.reconcile").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    assert [name for name, entry in told.items() if entry["family"] == "money"][:8] == [
        "void_paid_as_settled", "void_not_refunded", "paid_on_open_round", "pair_plus_paid_after_fold", "paid_after_fold",
        "unsettled_wager", "payout_mismatch", "bonus_split_mismatch",
    ]  # fmt: skip


def test_a_header_says_enough_to_write_a_page_from(check: Check) -> None:
    assert check.file == f"sql/checks/{check.check_id}.sql"
    assert check.question.endswith(("?", "."))
    assert check.subject, "coverage names the subjects where there are none"
    assert not check.title.endswith(".")
    assert not set(check.needs) - INPUTS.keys()
    if check.citation is not None:
        assert re.match(r"58 Pa\. Code ", check.citation)


def test_a_header_says_what_a_finding_means_why_it_matters_and_what_to_do(check: Check) -> None:
    for text in (check.means, check.matters, check.do):
        assert text is not None
        assert text.endswith(".")
        assert len(text) > 50


@pytest.mark.parametrize("told", ["means", "matters", "do"])
def test_no_two_checks_say_the_same(told: str) -> None:
    texts = [getattr(check, told) for check in all_checks().checks]
    assert sorted(set(texts)) == sorted(texts)


def test_a_check_gives_money_and_its_sentence_through_macros_and_not_through_floats(check: Check) -> None:
    assert not re.search(r"\b(double|float)\b|(::|\bAS )\s*real\b", check.sql.partition("\n\n")[2], re.IGNORECASE)


def test_every_check_that_reaches_a_round_runs_and_an_honest_round_raises_nothing() -> None:
    honest = make_round(
        wagers=[("ante", "10.00", "20.00", "0.00"), ("play", "10.00", "20.00"), ("pair_plus", "5.00", "10.00")],
        filing_id="keystone-tcp-2026",
    )
    ran = run_checks(make_chunk(honest), make_filed(filing()))
    assert ran.findings.filter(ran.findings["severity"] != "info").rows() == []


def test_the_columns_that_a_check_may_return_are_in_its_own_schema() -> None:
    assert {"table_id", "round_key", "wager_id", "message", "detail", "filing_no"} <= RESULT_COLUMNS.keys()


def test_a_check_that_no_test_saw_both_ways_is_named() -> None:
    seen = set(IDS)
    assert unproved(seen, seen) == []
    assert unproved(seen - {"payout_mismatch"}, seen - {"sequence_gap"}) == [
        "payout_mismatch: no test in which it fires",
        "sequence_gap: no test in which it examines something and stays silent",
    ]


def test_every_check_of_the_contract_is_built() -> None:
    assert contract_checks().keys() - set(IDS) == set()
