from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from pipeline.filings.licence import FILED_LICENCE, licence_verdicts
from pipeline.filings.words import describe
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path

_BONUS = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'
_FOLD = "forfeited_by_fold = true"
_D = "58 Pa. Code § 649b.4(b) D"
_LINKED = 'linked_ante_pair_plus = { relation = "equal" }'
Swap = tuple[str, str]


def _named(name: str) -> Swap:
    return (_BONUS, f'paytable = "{name}"')


def _failed(folder: Path, *swaps: Swap, add: str = "") -> list[tuple[str, str]]:
    verdicts = licence_verdicts(load_texts(folder, submission(*swaps, add=add)))
    assert verdicts.schema == FILED_LICENCE.schema
    now = verdicts.filter(verdicts["check_id"].is_not_null() & verdicts["valid_from"].is_null() & verdicts["valid_to"].is_null())
    return sorted(now.select("check_id", "key").rows())


def _side(kind: str, lines: str, *, forfeited: bool, judged_on: str = "best_five_of_six") -> str:
    return f'[wagers.{kind}]\njudged_on = "{judged_on}"\nforfeited_by_fold = {str(forfeited).lower()}\nodds = {{ {lines} }}'


def test_a_clean_filing_fails_nothing(tmp_path: Path) -> None:
    assert _failed(tmp_path) == []


@pytest.mark.parametrize("table", [f"58 Pa. Code § 649a.12(b) {letter}" for letter in "ABC"] + [_D])
def test_each_ante_bonus_table_is_licensed_by_name(tmp_path: Path, table: str) -> None:
    assert _failed(tmp_path, _named(table)) == []


@pytest.mark.parametrize("letter", "ABC")
def test_649a_7_e_a_subsection_c_table_needs_the_linked_version(tmp_path: Path, letter: str) -> None:
    table = _named(f"58 Pa. Code § 649a.12(c) {letter}")
    assert _failed(tmp_path, table) == [("rule_not_licensed", "linked_ante_pair_plus")]
    assert _failed(tmp_path, table, ("decks = 2", f"decks = 2\n{_LINKED}")) == []


@pytest.mark.parametrize(
    ("old", "new", "failed"),
    [
        ('"4 to 1", straight', '"5 to 1", straight', ("paytable_not_licensed", "ante_bonus.odds")),
        ('three_of_a_kind = "4 to 1", straight = "1 to 1"', 'three_of_a_kind = "4 to 1"', ("paytable_not_licensed", "ante_bonus.odds")),
        ('"40 to 1"', '"50 to 1"', ("paytable_not_licensed", "pair_plus.odds.straight_flush")),
        ('"40 to 1"', '"39 to 1"', ("paytable_not_licensed", "pair_plus.odds.straight_flush")),
        ('"40 to 1"', '"40 for 1"', ("paytable_not_licensed", "pair_plus.odds.straight_flush")),
        ('pair = "1 to 1"', 'pair = "1 to 1", high_card = "1 to 1"', ("paytable_not_licensed", "pair_plus.odds.high_card")),
        ('flush = "20 to 1"', 'flush = "25 to 1"', ("paytable_not_licensed", "six_card_bonus.odds.flush")),
        (_FOLD, "forfeited_by_fold = false", ("rule_not_licensed", "pair_plus.forfeited_by_fold")),
        ("forfeited_by_fold = false", _FOLD, ("rule_not_licensed", "six_card_bonus.forfeited_by_fold")),
        ("decks = 2", 'decks = 2\nqualifier = "J"', ("rule_not_licensed", "qualifier")),
        ("[limits]", '[wagers.ante]\nodds = { win = "6 to 5" }\n[limits]', ("rule_not_licensed", "ante.odds.win")),
        ("[limits]", '[wagers.play]\nodds = { win = "2 to 1" }\n[limits]', ("rule_not_licensed", "play.odds.win")),
        (' straight_flush = "5', ' mini_royal = "4 to 1", straight_flush = "5', ("rule_not_licensed", "ante_bonus.odds.mini_royal")),
        ('pair = "1 to 1"', 'pair = "1 to 1", mini_royal = "39 to 1"', ("rule_not_licensed", "pair_plus.odds.mini_royal")),
    ],
)  # fmt: skip
def test_what_is_not_licensed(tmp_path: Path, old: str, new: str, failed: tuple[str, str]) -> None:
    assert _failed(tmp_path, (old, new)) == [failed]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"40 to 1"', '"35 to 1"'),
        ('"40 to 1"', '"80 to 2"'),
        ('"40 to 1"', '"41 for 1"'),
        ('flush = "4 to 1"', 'flush = "3 to 1"'),
        ('pair = "1 to 1"', 'pair = "1 to 1", mini_royal = "40 to 1"'),
        ('straight_flush = "5 to 1"', 'mini_royal = "5 to 1", straight_flush = "5 to 1"'),
        ("[limits]", '[wagers.ante]\nodds = { win = "2 for 1" }\n[limits]'),
        ("decks = 2", 'decks = 2\ntie = "player_wins"'),
    ],
)
def test_the_nearest_that_is_licensed(tmp_path: Path, old: str, new: str) -> None:
    assert _failed(tmp_path, (old, new)) == []


@pytest.mark.parametrize("table", [_D, "58 Pa. Code § 649a.12(c) B"])
def test_649a_12_g_a_mini_royal_is_added_only_to_a_subsection_b_table(tmp_path: Path, table: str) -> None:
    mini = 'odds = { mini_royal = "60 to 1" }'
    lines = (
        'mini_royal_spades = "50 to 1", mini_royal = "60 to 1", straight_flush = "8 to 1", three_of_a_kind = "6 to 1", straight = "1 to 1"'
    )
    swap = (_BONUS, f'paytable = "{table}"\n{mini}') if table == _D else (_BONUS, f"odds = {{ {lines} }}")
    linked = ("decks = 2", f"decks = 2\n{_LINKED}")
    assert _failed(tmp_path, swap, linked) == [("rule_not_licensed", "ante_bonus.odds.mini_royal")]


def test_649b_3_player_bonus_stands_in_place_of_pair_plus(tmp_path: Path) -> None:
    bonus = _side("player_bonus", 'mini_royal = "50 to 1", straight = "6 to 1"', forfeited=True, judged_on="player_three")
    assert _failed(tmp_path, add=bonus) == [("rule_not_licensed", "wagers.player_bonus")]
    alone = submission(add=bonus).replace("[wagers.pair_plus]", "[wagers.other]\njudged_on = 'player_three'")
    verdicts = licence_verdicts(load_texts(tmp_path, alone.replace('"US-PA"', '"US-PA"')))
    assert "wagers.player_bonus" not in verdicts.filter(verdicts["check_id"] == "rule_not_licensed")["key"]


@pytest.mark.parametrize("kind", ["five_card_hand_bonus", "five_of_six_progressive"])
def test_649a_11_b_3_these_stand_after_a_fold(tmp_path: Path, kind: str) -> None:
    lines = 'straight = "3 to 1"'
    assert _failed(tmp_path, add=_side(kind, lines, forfeited=False)) == []
    assert _failed(tmp_path, add=_side(kind, lines, forfeited=True)) == [("rule_not_licensed", f"{kind}.forfeited_by_fold")]


def test_649a_12_e_progressive(tmp_path: Path) -> None:
    lines = 'mini_royal_spades = {{ meter = "{} %" }}, mini_royal = "{} for 1", straight = "6 for 1"'
    tail = "\nstake_returned = true"
    right = _side("progressive", lines.format(100, 500), forfeited=False, judged_on="player_three") + tail
    wrong = _side("progressive", lines.format(50, 501), forfeited=True, judged_on="player_three") + tail
    assert _failed(tmp_path, add=right) == []
    assert _failed(tmp_path, add=wrong) == [
        ("paytable_not_licensed", "progressive.odds.mini_royal"),
        ("paytable_not_licensed", "progressive.odds.mini_royal_spades"),
    ]


def test_649a_12_f_paytable_e_super_royal(tmp_path: Path) -> None:
    def lines(other: str) -> Swap:
        diamonds = 'super_royal_diamonds = { flat = "1000000", currency = "USD" }'
        flats = f'{diamonds}\nsuper_royal_other = {{ flat = "{other}", currency = "USD" }}\n'
        return ('royal_flush = "1000 to 1"', f'{flats}royal_flush = "1000 to 1"')

    rest = ("forfeited_by_fold = false", 'forfeited_by_fold = false\nstake_returned = true\nsuper_royal = "six_suited_nine_to_ace"')
    assert _failed(tmp_path, lines("100000.00"), rest) == []
    assert _failed(tmp_path, lines("200000.00"), rest) == [("paytable_not_licensed", "six_card_bonus.odds.super_royal_other")]


def test_a_wager_that_no_chapter_knows_is_not_licensed(tmp_path: Path) -> None:
    lucky = _side("lucky", 'pair = "2 to 1"', forfeited=True)
    assert _failed(tmp_path, add=lucky) == [("paytable_not_licensed", "wagers.lucky")]


def test_other_jurisdictions_are_free(tmp_path: Path) -> None:
    verdicts = licence_verdicts(load_texts(tmp_path, submission(('"US-PA"', '"XX"'), ('"40 to 1"', '"99 to 1"'))))
    assert verdicts.is_empty()


@pytest.mark.parametrize(
    ("swaps", "keys"),
    [
        ((_named(_D),), {"ante_bonus.odds"}),
        (
            (('royal_flush = "1000 to 1"', 'six_card_royal = "20000 to 1"\nroyal_flush = "1000 to 1"'),),
            {"six_card_bonus.odds.six_card_royal"},
        ),
    ],
)
def test_chapter_649b_has_a_beginning_and_an_end(tmp_path: Path, swaps: tuple[Swap, ...], keys: set[str]) -> None:
    verdicts = licence_verdicts(load_texts(tmp_path, submission(*swaps)))
    spans = verdicts.filter(verdicts["timezone"].is_not_null())
    assert set(spans["key"]) == keys
    assert spans.select("status", "valid_from", "valid_to").rows() == [
        ("licensed", date(2025, 8, 23), date(2028, 8, 22)),
        ("paytable_not_licensed", None, date(2025, 8, 22)),
        ("paytable_expiring", date(2028, 5, 25), date(2028, 8, 22)),
        ("paytable_expired", date(2028, 8, 23), None),
    ]


@pytest.mark.parametrize(
    ("dates", "code"),
    [
        ("effective_from = 2026-01-01", 0),
        ("effective_from = 2026-01-01\neffective_to = 2028-08-22", 0),
        ("effective_from = 2026-01-01\neffective_to = 2028-08-23", 1),
        ("effective_from = 2025-08-23", 0),
        ("effective_from = 2025-08-22", 1),
        ("effective_from = 2028-08-23", 1),
    ],
)
def test_filing_check_counts_what_holds_while_the_filing_governs(tmp_path: Path, dates: str, code: int) -> None:
    report = describe(load_texts(tmp_path, submission(_named(_D), ("effective_from = 2026-01-01", dates))))
    assert report.exit_code == code
    assert "Expires on 2028-08-23" in report.text


def test_filing_check_tells_each_line_with_its_citation(tmp_path: Path) -> None:
    report = describe(load_texts(tmp_path, submission(('straight = "6 to 1"', 'straight = "7 to 1"'))))
    assert report.exit_code == 1
    lines = [" ".join(line.split()) for line in report.text.splitlines()]
    assert "straight flush 40 to 1 licensed, 58 Pa. Code § 649a.12(d)" in lines
    assert "straight 7 to 1 NOT LICENSED, 58 Pa. Code § 649a.12(d) (licensed: 5 to 1 and 6 to 1)" in lines
    assert "three of a kind 4 to 1 licensed, 58 Pa. Code § 649a.12(b)" in lines
    assert "The dealer qualifies with queen high or better; a tie pushes." in lines


def test_filing_check_says_what_a_higher_revision_replaces(tmp_path: Path) -> None:
    report = describe(load_texts(tmp_path, submission(), submission(("decks = 2", "decks = 2\nrevision = 2"))))
    assert "revision 1 (0.toml) is replaced by a higher revision" in report.text


def test_filing_check_of_another_jurisdiction_cites_no_pennsylvania(tmp_path: Path) -> None:
    report = describe(load_texts(tmp_path, submission(('"US-PA"', '"XX"'), ('"40 to 1"', '"99 to 1"'))))
    assert report.exit_code == 0
    assert "58 Pa. Code" not in report.text
