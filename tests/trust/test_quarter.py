"""Ninety nights through the flow: each fault is found in the night in which it can be known, and in the end all is as if told at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from flows.nightly_audit import nightly_audit
from pipeline.lake import verify
from tests.support.prefect_server import serving
from tests.support.quarter import LOST, NIGHTS, Quarter, laid
from tests.support.restated import ask, content

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.restated import Content

Found = dict[tuple[str, str | None, str | None], str | None]

FOUND = "SELECT check_id, round_id, wager_id, expected FROM findings"
TOTALS = "SELECT * FROM daily_totals ORDER BY ALL"
SETTLED = "SELECT * EXCLUDE (filing_no) FROM settlements ORDER BY ALL"
"""Without the number that a filing has in its run: with the new filings beside it, it is another."""

MONEY = {
    "void_paid_as_settled", "void_not_refunded", "paid_on_open_round", "pair_plus_paid_after_fold", "paid_after_fold", "unsettled_wager",
    "payout_mismatch", "bonus_split_mismatch",
}  # fmt: skip
"""The checks that tell of a wrong payment."""


@dataclass(frozen=True)
class Lived:
    """The quarter, the lake after it, and what was found after each of its nights."""

    quarter: Quarter
    lake: Path
    found: dict[int, Found]


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    with serving():
        yield


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = tmp_path_factory.mktemp("quarter")
    lived = Lived(laid(folder), folder / "lake", {})
    for night in range(1, NIGHTS + 1):
        if night != LOST:
            audited(lived.quarter, lived.lake, night, night)
        lived.found[night] = found_in(lived.lake)
    return lived


def audited(quarter: Quarter, lake: Path, first: int, last: int) -> None:
    """What came in these nights, through the flow."""
    nights = [night for night in range(first, last + 1) if night != LOST]
    logs, ledgers = [quarter.logs(night) for night in nights], [quarter.ledger(night) for night in nights]
    nightly_audit(logs, quarter.filings(last), lake, wallet=ledgers, roster=quarter.folder / "roster.csv")


def but_settlements(lake: Path) -> Content:
    return {key: digest for key, digest in content(lake).items() if key[2] != "settlements"}


def found_in(lake: Path) -> Found:
    """Check, round and wager of each finding, and what was due; also without the wager, for a fault that names none."""
    rows = ask(lake, FOUND)
    due = {(check, round_id, None): None for check, round_id, _, _ in rows}
    return due | {(check, round_id, wager_id): expected for check, round_id, wager_id, expected in rows}


@pytest.mark.exhaustive
def test_each_planted_fault_is_found_in_the_night_in_which_it_can_be_known(lived: Lived) -> None:
    assert len({fault.check for fault in lived.quarter.faults}) > 50
    wrong = [
        (night, fault)
        for fault in lived.quarter.faults
        for night in range(1, NIGHTS + 1)
        if fault.stands(night) != (fault.key in lived.found[night])
    ]
    assert wrong == []


@pytest.mark.exhaustive
def test_no_night_holds_money_against_a_payment_that_was_right(lived: Lived) -> None:
    for night, found in lived.found.items():
        planted = {fault.key for fault in lived.quarter.faults if fault.stands(night)}
        assert {key for key in found if key[0] in MONEY and key[2]} - planted == set(), night


@pytest.mark.exhaustive
def test_ninety_nights_end_in_what_one_run_over_everything_says(lived: Lived, tmp_path: Path) -> None:
    at_once = tmp_path / "lake"
    audited(lived.quarter, at_once, 1, NIGHTS)
    assert ask(lived.lake, TOTALS) == ask(at_once, TOTALS)
    assert ask(lived.lake, SETTLED) == ask(at_once, SETTLED)
    assert but_settlements(lived.lake) == but_settlements(at_once)
    assert verify(lived.lake).publishes == NIGHTS - 1
