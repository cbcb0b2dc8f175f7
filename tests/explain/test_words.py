from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from pipeline.explain.steps import cause_in_words
from pipeline.explain.story import Found
from pipeline.explain.words import arithmetic, bonus_arithmetic, cards_in_words, hand_in_words, reason_in_words, stamp

Row = dict[str, Any]

X = "\N{MULTIPLICATION SIGN}"
AT = datetime(2026, 11, 3, 15, 0, 10, 400_000, tzinfo=UTC)


def wager(stake: str, expected: str | None, **changes: Any) -> dict[str, Any]:
    due = None if expected is None else Decimal(expected)
    told: dict[str, Any] = {"stake": Decimal(stake), "expected": due, "expected_bonus": None, "currency": "USD", "funding": "cash"}
    told |= {"settlement": "settled", "outcome": "win", "rule": "pair_plus.odds.pair", "rounding": "exact", "stake_returned": False}
    return told | changes


def price(odds: str) -> dict[str, Any]:
    num, basis, den = odds.split()
    return {"basis": basis, "num": int(num), "den": int(den), "flat": None, "currency": None, "odds": odds}


FLAT = {"basis": "flat", "num": None, "den": None, "flat": Decimal(1000), "currency": "USD", "odds": "flat 1000 USD"}
METER = {"basis": "meter", "num": 100_000_000, "den": 100_000_000, "flat": None, "currency": None, "odds": "meter 100 %"}
POOL = {"meter_id": "M", "before": Decimal(1000), "contribution": Decimal("1.50"), "winners": 2}


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        (None, "No known fault reproduces what was paid."),
        ("nothing is recorded as paid", "Not diagnosed: nothing is recorded as paid."),
    ],
)
def test_what_was_never_tried_is_not_said_to_fit_no_fault(detail: str | None, told: str) -> None:
    known: dict[str, Any] = dict.fromkeys(("expected", "paid", "delta", "citation"))
    named = {"finding_id": "f1", "check_id": "unsettled_wager", "severity": "high", "message": "Nothing."}
    assert cause_in_words(Found(**known, **named, root_cause="unexplained", root_causes=[], root_cause_detail=detail)) == told


@pytest.mark.parametrize(
    ("row", "line", "pool", "told"),
    [
        (wager("2", "14"), price("6 to 1"), None, f"2.00 USD {X} 6 (6 to 1) = 12.00 USD, and the stake of 2.00 USD comes back: 14.00 USD."),
        (wager("2", "12"), price("6 for 1"), None, f"2.00 USD {X} 6 (6 for 1) = 12.00 USD."),
        (wager("2", "12", funding="free"), price("6 to 1"), None,
         f"2.00 USD {X} 6 (6 to 1) = 12.00 USD; the stake was free and does not come back."),
        (wager("2", "10", funding="free"), price("6 for 1"), None,
         f"2.00 USD {X} 6 (6 for 1) = 12.00 USD, less the stake of 2.00 USD, which was free: 10.00 USD."),
        (wager("1", "1.33", rounding="down"), price("4 for 3"), None,
         f"1.00 USD {X} 4 ÷ 3 (4 for 3) = 1.333333… USD, rounded down to the coin: 1.33 USD."),
        (wager("1", "1.333333"), price("4 for 3"), None, f"1.00 USD {X} 4 ÷ 3 (4 for 3) = 1.333333… USD, to six decimals: 1.333333 USD."),
        (wager("1", "1001", stake_returned=True), FLAT, None,
         "The line pays a flat 1,000.00 USD, and the stake of 1.00 USD comes back: 1,001.00 USD."),
        (wager("1", "500.75"), METER, POOL,
         "The meter M held 1,001.50 USD; meter 100 % of it, shared by 2 winners = 500.75 USD."),
        (wager("2", "5", rule="aggregate_payout_limit"), price("6 to 1"), None,
         f"2.00 USD {X} 6 (6 to 1) = 12.00 USD, and the stake of 2.00 USD comes back; the filed limit on winnings leaves 5.00 USD."),
        (wager("2", "0", outcome="lose"), None, None, "It hands back nothing: 0.00 USD."),
        (wager("2", "2", outcome="push"), None, None, "A push hands the stake back: 2.00 USD."),
        (wager("2", "2", settlement="voided", outcome="void"), None, None, "A void hands the stake back: 2.00 USD."),
        (wager("2", None), None, None, "Nothing can be said to be due."),
    ],
)  # fmt: skip
def test_the_arithmetic_of_each_kind_of_price(
    row: dict[str, Any], line: dict[str, Any] | None, pool: dict[str, Any] | None, told: str
) -> None:
    assert arithmetic(row, line, pool) == told


def test_the_arithmetic_of_a_bonus_holds_no_stake() -> None:
    told = bonus_arithmetic(wager("10", "0", outcome="lose", expected_bonus=Decimal(40)), price("4 to 1"))
    assert told == f"Bonus: 10.00 USD {X} 4 (4 to 1) = 40.00 USD."


@pytest.mark.parametrize(
    ("cards", "category", "told"),
    [
        ("Qs 3d 2h", "high_card", "queen high"),
        ("6s 6d Kh", "pair", "a pair of sixes"),
        ("Ks Kd 2h", "pair", "a pair of kings"),
        ("As 2d 3h", "straight", "a straight, three high"),
        ("As 2s 3s", "straight_flush", "a straight flush, three high"),
        ("As 3s 2s", "flush", "a flush, ace high"),
        ("Ts Td Th", "three_of_a_kind", "three tens"),
        ("Qs 3d ??", None, "no hand that can be ranked"),
    ],
)
def test_hands_as_players_name_them(cards: str, category: str | None, told: str) -> None:
    assert hand_in_words(cards.split(), category) == told


def test_cards_are_drawn_and_what_is_none_stays_as_it_is() -> None:
    assert cards_in_words(["Ts", "Qh", "??", None, "Zz"]) == "10♠ Q♥ ?? no card Zz"


def test_a_time_keeps_the_digits_that_were_written() -> None:
    told = [stamp(AT, digits) for digits in (0, 1, 3, 6, None)]
    assert told == [f"2026-11-03T15:00:10{end}Z" for end in ("", ".4", ".400", ".400000", ".400000")]
    assert stamp(None, 3) is None


def test_a_reason_about_the_dealer_says_so_and_an_unknown_one_stands() -> None:
    assert reason_in_words("dealer: unreadable_card") == "of the dealer's hand, a card cannot be read"
    assert reason_in_words("something_new") == "something new"
