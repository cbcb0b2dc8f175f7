"""The catalogue, typed out anew from the sources: each licensed table and price."""

from __future__ import annotations

from datetime import date

import pytest

from pipeline.filings.catalogue import licensed

_SEVEN = {
    "58 Pa. Code § 649a.12(b) A": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1},
    "58 Pa. Code § 649a.12(b) B": {"straight_flush": 5, "three_of_a_kind": 3, "straight": 1},
    "58 Pa. Code § 649a.12(b) C": {"straight_flush": 4, "three_of_a_kind": 3, "straight": 1},
    "58 Pa. Code § 649a.12(c) A": {"mini_royal_spades": 50, "mini_royal": 5, "straight_flush": 4, "three_of_a_kind": 3, "straight": 1},
    "58 Pa. Code § 649a.12(c) B": {"mini_royal_spades": 50, "mini_royal": 50, "straight_flush": 8, "three_of_a_kind": 6, "straight": 1},
    "58 Pa. Code § 649a.12(c) C": {"mini_royal_spades": 50, "mini_royal": 10, "straight_flush": 6, "three_of_a_kind": 3, "straight": 1},
    "58 Pa. Code § 649b.4(b) D": {"straight_flush": 6, "three_of_a_kind": 5, "straight": 1},
}
_SIDE = {
    "pair_plus": {
        "straight_flush": ["35 to 1", "40 to 1"], "three_of_a_kind": ["25 to 1", "30 to 1"], "straight": ["5 to 1", "6 to 1"],
        "flush": ["3 to 1", "4 to 1"], "pair": ["1 to 1"], "mini_royal": [],
    },
    "player_bonus": {"mini_royal": ["50 to 1", "40 to 1"]},
    "six_card_bonus": {
        "super_royal_diamonds": ["flat 1000000.00 USD"], "super_royal_other": ["flat 100000.00 USD"], "six_card_royal": ["20000 to 1"],
        "royal_flush": ["1000 to 1"], "straight_flush": ["200 to 1"], "four_of_a_kind": ["50 to 1", "100 to 1"],
        "full_house": ["20 to 1", "25 to 1"], "flush": ["15 to 1", "20 to 1"], "straight": ["9 to 1", "10 to 1"],
        "three_of_a_kind": ["5 to 1", "7 to 1", "8 to 1"],
    },
    "five_card_hand_bonus": {},
    "five_of_six_progressive": {},
    "progressive": {"mini_royal_spades": ["meter 100 %"], "mini_royal": ["500 for 1"]},
}  # fmt: skip


def test_the_seven_ante_bonus_paytables() -> None:
    found = {table.name: {line: price.text for line, price in table.odds.items()} for table in licensed().ante_bonus}
    assert found == {name: {line: f"{x} to 1" for line, x in lines.items()} for name, lines in _SEVEN.items()}


@pytest.mark.parametrize("table", licensed().ante_bonus, ids=lambda table: str(table.name))
def test_which_ante_bonus_is_linked_temporary_and_open_to_a_mini_royal(table: object) -> None:
    name = table.name  # type: ignore[attr-defined]
    assert table.linked == ("(c)" in name)  # type: ignore[attr-defined]
    assert (table.term is not None) == ("649b" in name)  # type: ignore[attr-defined]
    assert (table.mini_royal_floor is not None) == ("649a.12(b)" in name)  # type: ignore[attr-defined]


def test_the_prices_of_the_side_wagers() -> None:
    found = {kind: {line: [p.text for p in each.prices] for line, each in wager.lines.items()} for kind, wager in licensed().wagers.items()}
    assert found == _SIDE
    mini_royal = licensed().wagers["pair_plus"].lines["mini_royal"].floor
    assert mini_royal is not None
    assert mini_royal.text == "40 to 1"


def test_what_a_fold_does() -> None:
    assert {kind: wager.fold for kind, wager in licensed().wagers.items()} == {
        "pair_plus": "forfeited", "player_bonus": "open", "six_card_bonus": "stands", "five_card_hand_bonus": "stands",
        "five_of_six_progressive": "stands", "progressive": "open",
    }  # fmt: skip


def test_chapter_649b_is_in_force_for_three_years() -> None:
    term = licensed().wagers["player_bonus"].term
    assert term is not None
    assert (term.in_force_from, term.until, term.timezone) == (date(2025, 8, 23), date(2028, 8, 23), "America/New_York")


def test_a_name_is_found_however_its_blanks_are_written() -> None:
    table = licensed().named("58  Pa. Code §\u00a0649a.12(b)  A")
    assert table is not None
    assert table.name == "58 Pa. Code § 649a.12(b) A"
