"""sequence_gap, open_round_aged, table_without_rounds, control_total_mismatch: whether all is there."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import polars as pl
import pytest

from pipeline.feeds.control_totals import CONTROL_TOTALS
from tests.support import night
from tests.support.chunks import make_round, player
from tests.support.filings import filing, make_filed

Row = dict[str, Any]
run_night = partial(night.run_night, settle=False)
raised = partial(night.raised, settle=False)
BETS = [("ante", "10.00", "20.00"), ("play", "10.00", "20.00")]
DAY = date(2026, 11, 3)


def numbered(*sequences: int | None, table_id: str = "TCP-01") -> list[Row]:
    return [
        make_round(wagers=BETS, sequence=n, round_id=f"{table_id}-{place}", table_id=table_id, at=f"2026-11-03T15:{place:02}:00.000Z")
        for place, n in enumerate(sequences)
    ]


def test_a_missing_number_is_found_on_the_first_round_after_it() -> None:
    found = run_night("sequence_gap", *numbered(1, 2, 4, 5)).one
    assert (found["round_id"], found["severity"]) == ("TCP-01-2", "medium")
    assert found["message"].startswith("Number 3 is missing before this round, number 4: each round is due the number after")


def test_several_gaps_and_tables() -> None:
    rounds = [*numbered(1, 3, 4, 9), *numbered(5, 6, table_id="TCP-02")]
    assert raised("sequence_gap", *rounds) == [("TCP-01-1", None), ("TCP-01-3", None)]
    messages = run_night("sequence_gap", *rounds).findings["message"].to_list()
    assert any(message.startswith("Numbers 5 to 8 are missing before this round, number 9") for message in messages)


def test_no_gap() -> None:
    assert not raised("sequence_gap", *numbered(17, 18, 19))
    assert not raised("sequence_gap", *numbered(3, 1, 2))
    assert not raised("sequence_gap", *numbered(1, 2, 2, 3))
    assert not raised("sequence_gap", *numbered(None, 1, None, 2))
    assert not raised("sequence_gap", *numbered(1, 2, 3, 1, 2, 3, 4))


def test_rounds_that_name_no_table_follow_no_other() -> None:
    nameless = [one | {"table_id": None} for one in numbered(1, 3, 2)]
    assert [raised(check_id, *nameless) for check_id in ("sequence_gap", "clock_regression", "overlapping_rounds")] == [[], [], []]


def test_a_gap_across_the_edge_of_the_day() -> None:
    (edge,) = numbered(7)
    assert raised("sequence_gap", *numbered(9, 10), edge=edge) == [("TCP-01-0", None)]
    assert not raised("sequence_gap", *numbered(8, 9), edge=edge)
    assert not raised("sequence_gap", *numbered(1, 2), edge=edge)
    assert not raised("sequence_gap", *numbered(8, 9, table_id="TCP-02"), edge=edge)


def test_a_replaced_telling_does_not_fill_a_gap() -> None:
    first = make_round(wagers=BETS, sequence=2, revision=1, round_id="r2")
    moved = make_round(wagers=BETS, sequence=9, revision=2, round_id="r2")
    assert raised("sequence_gap", *numbered(8), first, moved) == []
    assert raised("sequence_gap", *numbered(1, 3), first, moved) == [("TCP-01-1", None), ("r2", None)]


def test_a_missing_number_that_lies_in_quarantine_is_said() -> None:
    cut = '{"round_id":"x","table_id":"TCP-01","sequence": 3,"status":"set'
    found = run_night("sequence_gap", *numbered(2, 4), quarantined=[cut, "\xff\xfe", "", '{"table_id":"TCP-02","sequence":3}']).one
    assert "Number 3 is missing before this round, number 4, and lies in quarantine:" in found["message"]
    lines = [cut, *(f'{{"table_id":"TCP-01","sequence":{number}' for number in range(6, 18))]
    told = run_night("sequence_gap", *numbered(1, 5, 11, 18), quarantined=lines).findings["message"]
    assert [message.partition(", of which ")[2].partition(":")[0] for message in told] == [
        "3 lies in quarantine", "6, 7, 8, 9, 10 lie in quarantine", "12, 13, 14, 15, 16 and 1 more lie in quarantine",
    ]  # fmt: skip
    assert told[0].startswith("Numbers 2 to 4 are missing before this round, number 5,")


def test_a_finding_keeps_its_id_whatever_the_round_after_the_gap_becomes() -> None:
    one = run_night("sequence_gap", *numbered(1, 3)).one
    same = run_night("sequence_gap", *numbered(1, 3), quarantined=['{"table_id":"TCP-01","sequence":2']).one
    assert one["finding_id"] == same["finding_id"]


def test_rounds_open_too_long() -> None:
    newest = {"newest": "2026-11-04T15:00:00.001Z"}
    rounds = [make_round(wagers=BETS, status=status, round_id=status, sequence=n)
              for n, status in enumerate(("open", "interrupted", "settled", "voided"), 1)]  # fmt: skip
    assert raised("open_round_aged", *rounds, **newest) == [("interrupted", None), ("open", None)]
    message = run_night("open_round_aged", rounds[0], **newest).one["message"]
    assert message.startswith("The round is still open, and the studio's deliveries go on for more than 24 hours after it began")


def test_open_rounds_within_the_limit_or_without_one() -> None:
    told = make_round(wagers=BETS, status="open")
    assert not raised("open_round_aged", told, newest="2026-11-04T15:00:00Z")
    assert not raised("open_round_aged", told)
    assert not raised("open_round_aged", told, newest="2027-01-01T00:00:00Z", filed=make_filed())
    short = make_filed(filing(open_round_limit_s=5400))
    assert raised("open_round_aged", told, newest="2026-11-03T16:30:01Z", filed=short) == [("r1", None)]
    assert "more than 1.5 hours" in run_night("open_round_aged", told, newest="2026-11-03T16:30:01Z", filed=short).one["message"]
    assert not raised("open_round_aged", told, newest="2026-11-03T16:30:00Z", filed=short)


def test_a_filed_table_without_rounds() -> None:
    found = run_night("table_without_rounds", *numbered(1), filed=make_filed(filing(tables=["TCP-01", "TCP-02"])))
    assert found.findings.select("table_id", "round_id", "severity").rows() == [("TCP-02", None, "medium")]


def test_tables_with_rounds_and_filings_of_another_day_or_studio() -> None:
    assert not raised("table_without_rounds", *numbered(1), *numbered(1, table_id="TCP-02"))
    ended = filing(tables=["TCP-09"], effective_to=date(2026, 11, 2))
    coming = filing(tables=["TCP-08"], effective_from=date(2026, 11, 4))
    elsewhere = filing(tables=["TCP-07"], studio_id="studio-8")
    assert not raised("table_without_rounds", *numbered(1), filed=make_filed(filing(tables=["TCP-01"]), ended, coming, elsewhere))


def totals(**changed: Any) -> pl.DataFrame:
    row = {"studio_id": "studio-7", "table_id": "TCP-01", "gaming_day": DAY, "rounds": 2, "first_round_id": "TCP-01-0",
           "last_round_id": "TCP-01-1", "handle": "40.00", "returned": "80.00", "currency": "USD", **changed}  # fmt: skip
    money = {name: Decimal(row[name]) for name in ("handle", "returned")}
    return pl.DataFrame([{**row, **money}], schema=CONTROL_TOTALS.schema)


def totalled(*rounds: Row, **changed: Any) -> Any:
    return run_night("control_total_mismatch", *(rounds or numbered(1, 2)), inputs=["control_totals"], control_totals=totals(**changed))


@pytest.mark.parametrize(("changed", "said"), [
    ({"rounds": 3}, "2 rounds, not 3"),
    ({"first_round_id": "x"}, "TCP-01-0 as its first round, not x"),
    ({"last_round_id": "x"}, "TCP-01-1 as its last round, not x"),
    ({"handle": "40.01"}, "a handle of 40.00 USD, not 40.01 USD"),
    ({"returned": "79.99"}, "80.00 USD handed back, not 79.99 USD"),
    ({"table_id": "TCP-09"}, "0 rounds, not 2"),
    ({"currency": "EUR"}, "a handle of 0.00 EUR, not 40.00 EUR"),
])  # fmt: skip
def test_control_totals_that_the_log_does_not_meet(changed: Row, said: str) -> None:
    found = totalled(**changed).one
    assert found["severity"] == "critical"
    assert said in found["message"]


def test_control_totals_that_are_met() -> None:
    assert totalled().findings.is_empty()
    assert totalled(gaming_day=date(2026, 11, 2), rounds=9).findings.is_empty()
    assert totalled(studio_id="studio-8", rounds=9).findings.is_empty()


def test_test_players_rejected_wagers_and_replaced_tellings_stand_in_no_total() -> None:
    told = make_round(
        participants=[
            player(*BETS, {"kind": "pair_plus", "stake": "5.00", "status": "rejected"}),
            player(*BETS, player_id="t", play_mode="test"),
        ],
        round_id="r1", revision=2,
    )  # fmt: skip
    replaced = make_round(wagers=[("ante", "99.00", "0.00")], round_id="r1", revision=1)
    assert totalled(told, replaced, rounds=1, first_round_id="r1", last_round_id="r1", handle="20.00", returned="40.00").findings.is_empty()


@pytest.mark.parametrize("handle", ["17.00", "10.00", "20.00", "13.00"])
def test_a_studio_may_count_cancelled_and_free_stakes_or_not(handle: str) -> None:
    bets = [("ante", "10.00", "0.00"), {"kind": "pair_plus", "stake": "7.00", "paid": "0.00", "funding": "free"},
            {"kind": "six_card_bonus", "stake": "3.00", "status": "cancelled"}]  # fmt: skip
    told = make_round(wagers=bets, round_id="r1")
    assert totalled(told, rounds=1, first_round_id="r1", last_round_id="r1", handle=handle, returned="0.00").findings.is_empty()


def test_without_control_totals_nothing_is_proven() -> None:
    covered = run_night("control_total_mismatch", *numbered(1)).covered("control_total_mismatch")
    assert covered["reason"] == "not checked: no control totals given"
