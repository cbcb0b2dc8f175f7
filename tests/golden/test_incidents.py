"""What a night of many faults comes to, finding by finding and incident by incident, lies in ``incidents/``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.chunks import Row, make_round, player
from tests.support.diagnosed import incidents_of
from tests.support.filings import filing
from tests.support.golden import kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import polars as pl

FOLDER = Path(__file__).parent / "incidents"
STRAIGHT, PAIR, FLUSH, HIGH = "6c 7d 8h", "Qs Qd 5h", "2h 7h 9h", "Ks 9d 4h"
DUE = {STRAIGHT: "35.00", PAIR: "10.00", FLUSH: "25.00", HIGH: "0.00"}


def told(table: str, number: int, paid: str | None, hand: str = STRAIGHT, **fields: Any) -> Row:
    """Round number ``number`` of the day at a table, a minute each: a Pair Plus wager on a hand, paid so, beside an ante that won."""
    at = fields.pop("at", f"2026-11-03T{15 + number // 60}:{number % 60:02}:00.000Z")
    wagers = [("ante", "10.00", "30.00" if hand == STRAIGHT else "20.00"), ("play", "10.00", "20.00"), ("pair_plus", "5.00", paid)]
    who = {"player_id": f"p{number % 4}", "operator_id": fields.pop("operator_id", "op-1"), **fields.pop("who", {})}
    dealer = "Ad Ac 3s" if hand == STRAIGHT else "Jd 7c 2s"
    seats = [player(*wagers, **who)]
    # Two more players at a bound of what went wrong, one of them paid rightly.
    seats += [player(("pair_plus", "5.00", each), player_id=f"q{seat}") for seat, each in enumerate(fields.pop("beside", ()))]
    one = make_round(hand, dealer, participants=seats, round_id=f"{table}-{number:02}", sequence=number, table_id=table, at=at, **fields)
    if reader := one.pop("reader", None):
        one["card_readings"] = [{**reading, "device_id": reader} for reading in one["card_readings"]]
    return one


def missed(table: str, count: int, where: Callable[[int], bool], wrong: str = "0.00", **fields: Callable[[int], Any]) -> Iterable[Row]:
    """So many rounds, of which some are wrongly paid."""
    for number in range(count):
        given = {name: choose(number) for name, choose in fields.items()}
        yield told(table, number, wrong if where(number) else "35.00", **given)


def mains(table: str, paid: str, numbers: range) -> Iterable[Row]:
    """Ante and Play against a dealer who does not qualify."""
    for number in numbers:
        at = f"2026-11-03T16:{number:02}:00.000Z"
        wagers = [("ante", "10.00", paid), ("play", "10.00", "20.00" if paid == "10.00" else "10.00")]
        yield make_round("Qs 9d 5c", "Jd 8s 3c", wagers, round_id=f"{table}-m{number:02}", table_id=table, at=at)


def the_night() -> list[Row]:
    def within(number: int) -> bool:
        return 10 <= number < 18

    def odd(number: int) -> bool:
        return number % 2 == 1

    rounds = [*missed("T-bounds", 30, within)]
    for column in ("dealer_id", "software_version", "reader", "filing_id"):
        rounds += missed(f"T-{column}-changes", 30, within, **{column: lambda number: "B" if within(number) else "A"})
    rounds += missed(
        "T-beside", 30, within, dealer_id=lambda n: "AB"[within(n)], beside=lambda n: ("0.00", "35.00") if n in {10, 17} else ()
    )
    for column in ("operator_id", "dealer_id", "deck_id", "software_version", "reader"):
        rounds += missed(f"T-{column}", 20, odd, **{column: lambda number: f"X{number % 2}"})
    rounds += missed("T-filed", 20, odd, operator_id=lambda number: f"op-{number % 4 + 6}")
    rounds += missed("T-midnight", 9, odd, at=lambda number: f"2026-11-0{3 + number // 5}T{(23, 0)[number // 5]:02}:0{number}:00.000Z")
    rounds += missed("T-before", 34, lambda number: number >= 30 or number % 3 == 0)
    rounds += missed("T-after", 34, lambda number: number < 4 or number % 3 == 0)
    rounds += missed("T-tie", 10, lambda number: number not in {3, 6}, deck_id=lambda number: "X0" if number in {3, 6} else "X1")
    rounds += missed("T-chance", 30, lambda number: number in {3, 4, 11, 19, 26})
    rounds += missed("T-two", 50, lambda number: number // 8 in {1, 4})
    rounds += missed("T-both", 24, lambda number: number in {2, 3, 4, 5} or (number > 12 and odd(number)), deck_id=lambda n: f"X{n % 2}")
    rounds += [told("T-units", number, ("350.00", "3500.00", "0.35")[number % 3]) for number in range(5)]
    rounds += [told("T-unknown", 1, "9.99"), told("T-unknown", 2, "8.88"), told("T-unknown", 3, None), told("T-unknown", 4, "7.77", HIGH)]
    rounds += [told("T-people", 1, "0.00", who={"play_mode": "test"}), told("T-people", 2, "0.00", who={"currency": "EUR"})]
    rounds += [told("T-people", 3, "0.00", who={"player_id": None}), told("T-people", 4, "70.00", who={"currency": "JPY"})]
    for number, (hand, due) in enumerate([*DUE.items()] * 4):
        rounds.append(told("T-nothing", number, "0.00" if number < 12 else due, hand))
    rounds += [*mains("T-main", "20.00", range(3)), *mains("T-main", "10.00", range(3, 9)), *mains("T-main", "20.00", range(9, 12))]
    return rounds


def lines(frame: pl.DataFrame) -> list[str]:
    return [json.dumps({name: value for name, value in row.items() if value is not None}, default=str) for row in frame.to_dicts()]


@pytest.mark.parametrize("few", [False, True])
def test_a_night_of_many_faults(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, *, few: bool) -> None:
    if few:
        monkeypatch.setattr("pipeline.reconcile.diagnose.AT_ONCE", 400)
        monkeypatch.setattr("pipeline.reconcile.diagnose._ROWS_AT_ONCE", 20)
    rounds = the_night()
    tables = sorted({one["table_id"] for one in rounds})
    under = [
        filing(tables=[table for table in tables if table != "T-filed"]),
        filing(filing_id="odd", tables=["T-filed"], operators=["op-7", "op-9"]),
        filing(filing_id="even", tables=["T-filed"], operators=["op-6", "op-8"]),
    ]
    findings, incidents = incidents_of(*rounds, under=under)
    told = lines(incidents) + lines(findings.select("wager_id", "incident_id", "root_causes", "root_cause_detail"))
    assert told == kept(request, FOLDER / "night.ndjson", "".join(f"{line}\n" for line in told)).splitlines()
