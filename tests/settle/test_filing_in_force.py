"""Which filing governs a wager: by studio, table, operator and gaming day."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.support.chunks import make_round, player
from tests.support.filings import PAIR_PLUS, filing
from tests.support.settled import PAIR, due, settled, settled_one


def paying(price: str, **keys: Any) -> dict[str, Any]:
    return filing(wagers={"pair_plus": {**PAIR_PLUS, "odds": {"pair": price}}}, **keys)


def one(*filings: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return settled_one(("pair_plus", "10.00"), player=PAIR, under=list(filings), **fields)["pair_plus"]


def test_two_operators_on_one_table_have_each_their_own_paytable() -> None:
    people = [player(("pair_plus", "10.00"), player_id=name, operator_id=f"op-{name}") for name in "abc"]
    under = [paying("1 to 1", operators=["op-a", "op-x"]), paying("2 to 1", operators=["op-b"])]
    got = settled(make_round(participants=people, player=PAIR), under=under)
    assert [(due(got[f"r1-{name}-pair_plus"])[0], got[f"r1-{name}-pair_plus"]["filing_no"]) for name in "abc"] == [
        ("20", 0),
        ("30", 1),
        (None, None),
    ]
    assert got["r1-c-pair_plus"]["settlement_reason"] == "no_filing_in_force"


def test_a_participant_without_an_operator_plays_under_the_filing_for_all() -> None:
    people = [player(("pair_plus", "10.00"), operator_id=None)]
    assert settled(make_round(participants=people, player=PAIR), under=[paying("1 to 1")])["r1-p1-pair_plus"]["filing_no"] == 0


def test_each_table_has_its_filing() -> None:
    under = [paying("1 to 1", tables=["TCP-01"]), paying("2 to 1", tables=["TCP-02", "TCP-03"])]
    assert [due(one(*under, table_id=table))[0] for table in ("TCP-01", "TCP-02", "TCP-03", "TCP-04")] == ["20", "30", "30", None]


@pytest.mark.parametrize(
    ("first", "last", "governs"),
    [
        (date(2026, 11, 3), None, True),
        (date(2026, 11, 4), None, False),
        (date(2026, 1, 1), date(2026, 11, 3), True),
        (date(2026, 1, 1), date(2026, 11, 2), False),
    ],
)
def test_a_filing_governs_from_its_first_to_its_last_gaming_day(first: date, last: date | None, *, governs: bool) -> None:
    assert (one(filing(effective_from=first, effective_to=last))["settlement"] == "settled") is governs


def test_another_studios_filing_does_not_govern() -> None:
    assert one(filing(studio_id="studio-8"))["settlement_reason"] == "no_filing_in_force"


def test_no_filing_settles_nothing_but_still_names_the_hands() -> None:
    got = settled_one(("ante", "10.00"), ("pair_plus", "10.00"), player=PAIR, under=[])
    assert {row["settlement"] for row in got.values()} == {"unsettleable"}
    assert (got["ante"]["hand_category"], got["ante"]["dealer_category"], got["ante"]["dealer_qualifies"]) == ("pair", "high_card", None)
    assert got["pair_plus"]["hand_category"] is None


def test_a_conflicting_round_is_unsettleable_wager_by_wager() -> None:
    first = make_round(wagers=[("ante", "10.00"), ("play", "10.00")], player=PAIR)
    second = make_round(wagers=[("ante", "20.00"), ("play", "20.00"), ("pair_plus", "5.00")], player=PAIR)
    got = settled(first, second)
    assert {(row["settlement"], row["settlement_reason"], due(row)) for row in got.values()} == {
        ("unsettleable", "conflicting_round", (None, None))
    }
    assert sorted(got) == ["r1-p1-ante", "r1-p1-pair_plus", "r1-p1-play"]


def test_only_the_latest_telling_is_settled() -> None:
    tellings = [make_round(wagers=[("pair_plus", stake)], player=PAIR, revision=number) for number, stake in ((1, "1.00"), (2, "2.00"))]
    got = settled(*tellings)
    assert [due(row) for row in got.values()] == [("4", None)]
