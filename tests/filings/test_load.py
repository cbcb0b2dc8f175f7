from __future__ import annotations

from dataclasses import fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.core.filed import FILED_LIMITS, FILED_LINES, FILED_METERS, FILED_WAGERS, FILINGS
from pipeline.core.times import GamingDay
from pipeline.filings.read import UnreadableFilingError
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path

_PROGRESSIVE = """
[wagers.progressive]
judged_on = "player_three"
forfeited_by_fold = false
stake_returned = true
odds = { mini_royal_spades = { meter = "100 %" }, mini_royal = "500 for 1" }
[meters.M1]
currency = "USD"
seed = "1000.00"
contribution = "5 %"
share_of = "progressive"
"""


def test_the_frames_have_the_columns_that_the_engines_read(tmp_path: Path) -> None:
    filed = load_texts(tmp_path, submission()).filed
    tables = (FILINGS, FILED_WAGERS, FILED_LINES, FILED_LIMITS, FILED_METERS)
    for table, field in zip(tables, fields(filed), strict=True):
        assert getattr(filed, field.name).schema == table.schema


def test_what_is_not_filed_has_its_default(tmp_path: Path) -> None:
    filing = load_texts(tmp_path, submission()).filed.filings.row(0, named=True)
    defaults = {
        "revision": 1, "effective_to": None, "operators": None, "qualifier": "Q", "tie": "push", "on_timeout": "fold",
        "dealer_cards_read": "at_reveal", "stakes_may_be_added": False, "linked_equal": False, "void_returns_folded": True,
        "late_credit_grace_s": 4 * 3600, "open_round_limit_s": 24 * 3600, "supervisors": [], "approved_on": None, "cap_amount": None,
    }  # fmt: skip
    assert {key: filing[key] for key in defaults} == defaults


def test_ante_and_play_are_always_offered_at_even_money(tmp_path: Path) -> None:
    filed = load_texts(tmp_path, submission()).filed
    kinds = filed.wagers.select("kind", "judged_on").rows()
    assert kinds[:2] == [("ante", "showdown"), ("play", "showdown")]
    lines = filed.lines.filter(filed.lines["kind"].is_in(["ante", "play"])).select("kind", "line", "odds").rows()
    assert lines == [("ante", "win", "1 to 1"), ("play", "win", "1 to 1")]


def test_another_price_of_the_ante_is_filed_like_any_other(tmp_path: Path) -> None:
    filed = load_texts(tmp_path, submission(add='[wagers.ante]\nodds = { win = "6 to 5" }')).filed
    assert filed.lines.filter(filed.lines["kind"] == "ante").select("num", "den").row(0) == (6, 5)


def test_every_optional_key(tmp_path: Path) -> None:
    filing = load_texts(
        tmp_path,
        submission(
            (
                "decks = 2",
                (
                    'decks = 2\neffective_to = 2026-12-31\nrevision = 3\noperators = ["op-2", "op-1"]\nsubmitted_on = 2025-10-01\n'
                    'approved_on = 2025-11-01\napproval_ref = "A"\nsimulcast_approval_ref = "S"\nlocation_approval_ref = "L"\n'
                    'studio_licence = { ref = "X", valid_from = 2025-01-01, valid_to = 2027-12-31 }\nqualifier = "J"\ntie = "player_wins"\n'
                    'rounding = "down"\non_timeout = "play_if_at_least:46Q"\ndealer_cards_read = "at_draw"\nstakes_may_be_added = true\n'
                    'linked_ante_pair_plus = { relation = "equal" }\nvoid_returns_folded = false\nlate_credit_grace = "90m"\n'
                    'open_round_limit = "1d12h"\nsupervisors = ["S2", "S1"]\n'
                    'aggregate_payout_limit = { amount = "50000.00", currency = "USD", per = "hand", kinds = ["ante"], cut = "last_first" }'
                ),
            ),
            add=_PROGRESSIVE,
        ),
    ).filed
    row = filing.filings.row(0, named=True)
    wanted = {
        "effective_to": date(2026, 12, 31), "revision": 3, "operators": ["op-1", "op-2"], "approved_on": date(2025, 11, 1),
        "licence_ref": "X", "licence_to": date(2027, 12, 31), "qualifier": "J", "tie": "player_wins",
        "on_timeout": "play_if_at_least:Q64", "dealer_cards_read": "at_draw", "stakes_may_be_added": True, "linked_equal": True,
        "void_returns_folded": False, "late_credit_grace_s": 5400, "open_round_limit_s": 36 * 3600, "supervisors": ["S1", "S2"],
        "cap_amount": Decimal("50000.000000"), "cap_per": "hand", "cap_kinds": ["ante"], "cap_cut": "last_first",
    }  # fmt: skip
    assert {key: row[key] for key in wanted} == wanted
    assert set(filing.wagers["rounding"]) == {"down"}
    meter = filing.meters.row(0, named=True)
    assert Fraction(meter["contribution_num"], meter["contribution_den"]) == Fraction(1, 20)
    assert (meter["share_of"], meter["several_winners"], meter["fixed_awards_from_meter"]) == ("progressive", "share_equally", None)
    line = filing.lines.filter(filing.lines["line"] == "mini_royal_spades").row(0, named=True)
    assert (line["basis"], line["num"], line["den"], line["odds"]) == ("meter", 10**8, 10**8, "meter 100 %")


def test_a_limit_of_a_currency_replaces_the_general_one(tmp_path: Path) -> None:
    text = submission(('["USD"]', '["USD", "EUR"]'), add='[limits.EUR]\nante = { min = "2.00" }')
    limits = load_texts(tmp_path, text).filed.limits
    assert limits.rows() == [
        (0, "ante", "EUR", Decimal("2.000000"), None),
        (0, "ante", "USD", Decimal("1.000000"), Decimal("500.000000")),
    ]


def test_a_licensed_paytable_is_filed_by_name(tmp_path: Path) -> None:
    odds = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'
    named = submission((odds, 'paytable = "58 Pa. Code § 649a.12(c) B"'))
    filed = load_texts(tmp_path, named).filed
    bonus = filed.lines.filter(filed.lines["kind"] == "ante_bonus").select("line", "odds").rows()
    assert bonus == [
        ("mini_royal_spades", "50 to 1"), ("mini_royal", "50 to 1"), ("straight_flush", "8 to 1"), ("three_of_a_kind", "6 to 1"),
        ("straight", "1 to 1"),
    ]  # fmt: skip


def test_a_mini_royal_may_be_added_beside_a_name_and_nothing_may_be_replaced(tmp_path: Path) -> None:
    odds = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'
    named = 'paytable = "58 Pa. Code § 649a.12(b) A"\n'
    load_texts(tmp_path, submission((odds, named + 'odds = { mini_royal = "5 to 1" }')))
    with pytest.raises(UnreadableFilingError, match="stands in the named paytable already"):
        load_texts(tmp_path, submission((odds, named + 'odds = { straight = "2 to 1" }')))


def test_a_new_side_wager_is_data(tmp_path: Path) -> None:
    text = submission(
        add='[wagers.lucky-queens]\njudged_on = "player_three"\nforfeited_by_fold = true\nalone = false\nodds = { pair = "2 to 1" }'
    )
    wager = load_texts(tmp_path, text).filed.wagers.row(by_predicate=pl.col("kind") == "lucky-queens", named=True)
    assert (wager["judged_on"], wager["forfeited_by_fold"], wager["alone"]) == ("player_three", True, False)


def test_the_gaming_day_of_each_studio(tmp_path: Path) -> None:
    other = submission(
        ('id = "keystone', 'id = "other'), ("studio-7", "studio-8"), ('"06:00"', '"05:30"'), ("America/New_York", "Europe/Riga")
    )
    filings = load_texts(tmp_path, submission(), other)
    assert filings.gaming_days == {"studio-7": GamingDay("America/New_York", 360), "studio-8": GamingDay("Europe/Riga", 330)}


def test_comments_order_and_defaults_do_not_change_the_fingerprint(tmp_path: Path) -> None:
    plain = load_texts(tmp_path, submission()).submissions[0].fingerprint
    same = submission(
        ("decks = 2\ndeck_alternation = true", 'deck_alternation = true # two backs\ndecks = 2\nrevision = 1\ntie = "push"'),
        ('["TCP-01", "TCP-02"]', '["TCP-02", "TCP-01"]'),
        ('"1.00", max = "500.00"', '"1", max = "500.0"'),
    )
    assert load_texts(tmp_path, same).submissions[0].fingerprint == plain
    assert load_texts(tmp_path, submission(('"6 to 1"', '"5 to 1"'))).submissions[0].fingerprint != plain


def test_the_fingerprint_of_a_set_knows_no_order_and_no_names(tmp_path: Path) -> None:
    one, two = submission(), submission(('id = "keystone', 'id = "other'), ("studio-7", "studio-8"))
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    forward, backward = load_texts(first, one, two), load_texts(second, two, one)
    assert forward.fingerprint == backward.fingerprint
    assert forward.filed.filings.drop("source_file").equals(backward.filed.filings.drop("source_file"))


def test_the_same_filing_twice_is_one(tmp_path: Path) -> None:
    assert len(load_texts(tmp_path, submission(), submission() + "# again").submissions) == 1


def test_a_higher_revision_replaces_a_lower_one(tmp_path: Path) -> None:
    higher = submission(("decks = 2", "decks = 2\nrevision = 2"), ('"6 to 1"', '"5 to 1"'))
    filings = load_texts(tmp_path, higher, submission())
    assert [each.revision for each in filings.submissions] == [2]
    assert [each.revision for each in filings.replaced] == [1]


def test_folders_are_read_to_the_bottom(tmp_path: Path) -> None:
    (tmp_path / "2026" / "old").mkdir(parents=True)
    (tmp_path / "2026" / "old" / "a.toml").write_text(submission(), encoding="utf-8")
    assert load_texts(tmp_path).submissions[0].source_file == "2026/old/a.toml"
