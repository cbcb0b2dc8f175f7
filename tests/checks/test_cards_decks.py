"""The checks on the decks of a table: which alternate, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pipeline.core.schema import ROUNDS
from tests.support.checks import Ran, run_checks
from tests.support.chunks import Row, make_chunk, make_round
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    import duckdb
    import polars as pl

BETS = [("ante", "10.00"), ("play", "10.00")]


def dealt(number: int, deck: str | None, minute: int | None = None, **fields: Any) -> Row:
    """Round ``number`` of the table, a minute after the one before it."""
    at = f"2026-11-03T{15 + (minute or number) // 60:02}:{(minute or number) % 60:02}:00.000Z"
    return make_round(wagers=BETS, round_id=f"r{number}", sequence=number, deck_id=deck, at=at, **fields)


def run(*rounds: Row, only: str, before: pl.DataFrame | None = None, **filed: Any) -> Ran:
    def edges(con: duckdb.DuckDBPyConnection) -> None:
        con.register("edge_rounds", ROUNDS.empty() if before is None else before)

    return run_checks(make_chunk(*rounds), make_filed(filing(**filed)), only, before=edges, reach="both")


def found(ran: Ran) -> list[str]:
    return ran.findings["round_id"].sort().to_list()


def alternating(*rounds: Row, **keys: Any) -> list[str]:
    return found(run(*rounds, only="deck_not_alternated", **keys))


def counting(*rounds: Row, **keys: Any) -> list[str]:
    return found(run(*rounds, only="deck_count_not_as_filed", **keys))


def test_deck_not_alternated_is_on_the_later_round() -> None:
    ran = run(dealt(1, "red"), dealt(2, "red"), only="deck_not_alternated")
    assert found(ran) == ["r2"]
    assert ran.one["severity"] == "medium"
    assert "the deck red, as round r1 before it was" in ran.one["message"]
    assert "deck_alternation; cf. 58 Pa. Code § 649a.3(b)" in ran.one["citation"]


def test_deck_alternated() -> None:
    assert alternating(dealt(1, "red"), dealt(2, "blue"), dealt(3, "red")) == []


def test_deck_alternation_not_filed() -> None:
    assert alternating(dealt(1, "red"), dealt(2, "red"), deck_alternation=False) == []


@pytest.mark.parametrize("which", [0, 1])
def test_deck_alternation_without_the_shuffler(which: int) -> None:
    rounds = [dealt(1, "red"), dealt(2, "red")]
    rounds[which]["shuffler_in_use"] = False
    assert alternating(*rounds) == []


def test_deck_alternation_across_a_gap_in_sequence() -> None:
    assert alternating(dealt(1, "red"), dealt(3, "red")) == []


def test_deck_alternation_after_an_hour() -> None:
    assert alternating(dealt(1, "red"), dealt(2, "red", 61)) == []
    assert alternating(dealt(1, "red"), dealt(2, "red", 60)) == ["r2"]


def test_deck_alternation_across_a_void_and_a_change_of_dealer() -> None:
    void = {"reason": "misdeal", "authorised_by": "PIT"}
    assert alternating(dealt(1, "red", status="voided", void=void), dealt(2, "red", dealer_id="D2")) == ["r2"]


def test_deck_alternation_a_round_without_cards_was_not_dealt() -> None:
    undealt = dealt(2, "blue", status="voided", void={"reason": "no bets"}, readings=[], hands={}, dealer=None)
    assert alternating(dealt(1, "blue"), undealt, dealt(3, "red")) == []


def test_deck_alternation_of_tables_apart() -> None:
    assert alternating(dealt(1, "red"), dealt(2, "red", table_id="TCP-02")) == []


def test_deck_alternation_from_the_day_before() -> None:
    before = make_chunk(dealt(1, "red")).rounds
    assert alternating(dealt(2, "red"), before=before) == ["r2"]
    assert alternating(dealt(2, "blue"), before=before) == []


def test_deck_count_once_on_the_round_that_brings_the_first_too_many() -> None:
    ran = run(*(dealt(n, deck) for n, deck in enumerate(("red", "blue", "green", "red", "blue"), 1)), only="deck_count_not_as_filed")
    assert found(ran) == ["r3"]
    assert ran.one["severity"] == "high"
    assert "3 decks within an hour (blue, green, red): 2 are filed" in ran.one["message"]


def test_deck_count_fewer_is_no_finding() -> None:
    assert counting(dealt(1, "red"), dealt(2, "red")) == []


def test_deck_count_after_an_hour() -> None:
    assert counting(dealt(1, "red"), dealt(2, "blue", 2), dealt(3, "green", 63)) == []
    assert counting(dealt(1, "red"), dealt(2, "blue", 2), dealt(3, "green", 61)) == ["r3"]


def test_deck_count_as_filed() -> None:
    assert counting(dealt(1, "red"), dealt(2, "blue"), dealt(3, "green"), decks=3) == []


def test_deck_count_from_the_day_before() -> None:
    before = make_chunk(dealt(1, "red")).rounds
    assert counting(dealt(2, "blue"), dealt(3, "green"), before=before) == ["r3"]
