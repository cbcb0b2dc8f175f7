from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.core.results import COVERAGE
from pipeline.reconcile.catalogue import contract_checks
from pipeline.reconcile.coverage import NOT_BUILT
from tests.support.checks import engine_rows, run_checks
from tests.support.chunks import make_chunk, make_round
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from pathlib import Path

FILED = make_filed(filing())


def test_every_check_of_the_contract_has_a_row_for_every_table() -> None:
    chunk = make_chunk(make_round(), make_round(round_id="r2", table_id="TCP-02"))
    told = run_checks(chunk, FILED, "payout_mismatch").coverage
    assert told.schema == COVERAGE.schema
    assert set(told.select("table_id", "check_id").rows()) == {
        (table, check) for table in ("TCP-01", "TCP-02") for check in contract_checks()
    }
    assert told.unique(["table_id", "check_id"]).height == told.height


def test_what_is_not_built_is_said_to_be_not_built() -> None:
    told = run_checks(make_chunk(make_round(wagers=[("ante", "1.00")])), FILED, "payout_mismatch")
    assert told.covered("wallet_orphan") | {"examined": 0, "not_examined": 0, "reason": NOT_BUILT} == told.covered("wallet_orphan")


def test_what_was_examined_and_what_was_not_is_counted_with_the_reasons() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "1.00"), ("play", "1.00"), ("pair_plus", "1.00"), ("six_card_bonus", "1.00")]))
    doubt = {"settlement": "unsettleable", "settlement_reason": "duplicate_card", "expected": None}
    told = {"r1-p1-play": doubt, "r1-p1-ante": doubt, "r1-p1-pair_plus": doubt | {"settlement_reason": "wager_not_offered"}}
    row = run_checks(chunk, FILED, "payout_mismatch", engine=engine_rows(chunk, told)).covered("payout_mismatch")
    assert (row["examined"], row["not_examined"]) == (1, 3)
    assert row["reason"] == "unsettleable (duplicate_card): 2; unsettleable (wager_not_offered): 1"


def test_where_nothing_is_examined_the_reason_says_so_and_never_silence() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "1.00")]))
    ran = run_checks(chunk, FILED, ("payout_mismatch", "void_not_refunded"), engine=engine_rows(chunk, {}))
    assert ran.covered("void_not_refunded")["reason"] == "not checked: no voided wagers"
    assert ran.covered("payout_mismatch")["reason"] is None
    assert ran.coverage.filter((ran.coverage["examined"] == 0) & ran.coverage["reason"].is_null()).is_empty()


def test_a_check_whose_input_was_not_given_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "ledger_check.sql").write_text(
        "-- check: ledger_check\n-- title: A check of the ledger\n-- severity: high\n-- family: own\n-- reach: round\n-- question: Which?\n"
        "-- examines: wallet\n-- needs: wallet\n\nSELECT 'x' AS message FROM wallet\n",
        encoding="utf-8",
    )
    chunk = make_chunk(make_round(wagers=[("ante", "1.00")]))
    ran = run_checks(chunk, FILED, "ledger_check", engine=engine_rows(chunk, {}), own=tmp_path)
    assert ran.covered("ledger_check")["reason"] == "not checked: no wallet ledger given"


def test_a_day_that_was_not_run_is_not_shown_as_examined() -> None:
    chunk = make_chunk(make_round(wagers=[("ante", "1.00")]))
    ran = run_checks(chunk, FILED, ("payout_mismatch",), engine=engine_rows(chunk, {}), reach="day")
    assert ran.covered("payout_mismatch")["reason"] == "not checked: the log was not run through it"


def test_a_studio_of_many_tables_where_the_first_check_leaves_nothing_out() -> None:
    first = next(iter(contract_checks()))
    assert first == "void_paid_as_settled"
    rounds = [make_round(wagers=[("ante", "1.00")], round_id=f"r{number}", table_id=f"T{number}") for number in range(120)]
    chunk = make_chunk(*rounds)
    voided = {f"r{number}-p1-ante": {"settlement": "voided"} for number in range(120)}
    told = run_checks(chunk, FILED, first, engine=engine_rows(chunk, voided)).coverage
    assert told.filter(check_id=first)["reason"].null_count() == 120
