from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import duckdb
import polars as pl
import pytest

from pipeline.core.cards import DECK
from pipeline.core.filed import FILED_LINES, FILED_WAGERS, FILINGS
from pipeline.lake.tables import PARTITION_TABLES
from pipeline.report.behaviour import behaviour
from pipeline.report.behaviour_parts import ODD, Behaviour, CardTest, LineTest
from pipeline.report.dealer_share import qualifying_chance
from pipeline.settle.hands import all_three_card_hands
from tests.support.lake import DAY, STUDIO, made

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Deal = tuple[list[str], list[str] | None]
"""The player's cards, and the dealer's; None where they were not turned."""

BIT = {card: 1 << (13 * "cdhs".index(card[1]) + "23456789TJQKA".index(card[0])) for card in DECK}
STRENGTH = dict(all_three_card_hands().select("bits", "strength").rows())
HIGHEST_CARD = STRENGTH[BIT["As"] + BIT["Kd"] + BIT["Jh"]]


def played(deals: Sequence[Deal], wagers: int = 1, kind: str = "ante") -> Behaviour:
    """The behaviour of a night of these rounds, each with so many wagers on its one hand."""
    count = len(deals)
    keys = list(range(count))
    told = {"studio_id": STUDIO, "gaming_day": DAY, "table_id": "TCP-01", "round_key": keys, "is_current": True}
    player = {"hand_key": [2 * key for key in keys], "is_dealer": False, "cards": [player for player, _ in deals]}
    dealer = {"hand_key": [2 * key + 1 for key in keys], "is_dealer": True, "cards": [dealer for _, dealer in deals]}
    staked = {name: value * wagers if isinstance(value, list) else value for name, value in (told | player).items()}
    staked |= {"kind": kind, "play_mode": "real", "status": "accepted", "settlement": "settled", "filing_fingerprint": "f"}
    frames = {
        "rounds": made(PARTITION_TABLES["rounds"], count, told | {"conflicting": False}),
        "hands": pl.concat([made(PARTITION_TABLES["hands"], count, told | hand) for hand in (player, dealer)]),
        "card_readings": PARTITION_TABLES["card_readings"].empty(),
        "settlements": made(PARTITION_TABLES["settlements"], count * wagers, staked),
        "daily_totals": PARTITION_TABLES["daily_totals"].empty(),
    }
    return behaviour(filed(frames))


def filed(frames: dict[str, pl.DataFrame]) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    kinds = {
        "kind": ["ante_bonus", "six_card_bonus"],
        "judged_on": ["player_three", "best_five_of_six"],
        "forfeited_by_fold": [True, False],
    }
    lines = {"kind": ["ante_bonus"] * 2 + ["six_card_bonus"], "line": ["straight", "straight_flush", "three_of_a_kind"], "odds": "5 to 1"}
    frames |= {
        "filings": made(FILINGS, 1, {"qualifier": "Q"}),
        "filed_wagers": made(FILED_WAGERS, 2, kinds),
        "filed_lines": made(FILED_LINES, 3, lines),
    }
    for name, frame in frames.items():
        named = frame.with_columns(filing_fingerprint=pl.lit("f")) if name.startswith("fil") else frame
        con.register(f"{name}_frame", named)
        con.execute(f"CREATE VIEW {name} AS SELECT * FROM {name}_frame")
    return con


def dealt(rounds: int, deck: Sequence[str] = DECK, turned: Callable[[list[str]], bool] = lambda _: True) -> list[Deal]:
    dealing = random.Random(20261103)  # noqa: S311
    found: list[Deal] = []
    for _ in range(rounds):
        cards = dealing.sample(deck, 6)
        found.append((cards[:3], cards[3:] if turned(cards[:3]) else None))
    return found


def of_line(found: Behaviour, line: str) -> LineTest:
    return next(test for test in found.lines if test.line == line)


def test_an_honest_night_is_silent_and_hundreds_of_wagers_on_a_hand_are_one_observation() -> None:
    found = played(dealt(1_500), wagers=40)
    straight = of_line(found, "straight")
    assert (straight.hands, straight.chance, straight.odds) == (1_500, Fraction(720, 22_100), "5 to 1")
    assert of_line(found, "straight_flush").chance == Fraction(48, 22_100)
    assert found.qualifying[0].rounds == 1_500
    assert len(found.tests) == 2 + 1 + 2 + 6
    assert found.odd == ()


def test_a_card_that_never_comes_stands_out() -> None:
    found = played(dealt(2_500, [card for card in DECK if card != "As"]))
    whole = [test for test in found.odd if isinstance(test, CardTest) and test.place is None]
    assert [(test.table_id, test.is_dealer) for test in whole] == [("TCP-01", False), ("TCP-01", True)]
    assert min(found.card_counts, key=lambda one: one.deviation).card == "As"


def test_a_line_that_comes_too_often_stands_out() -> None:
    straights: list[Deal] = [(["2c", "3d", "4h"], None)] * 40
    found = played([*dealt(300), *straights])
    assert isinstance(found.odd[0], LineTest)
    assert (found.odd[0].line, found.odd[0].hands) == ("straight", 340)


def test_it_does_not_matter_for_whom_the_dealer_turns() -> None:
    """A dealer who turns only beside high cards qualifies less often, since fewer of those are left."""
    found = played([deal for deal in dealt(40_000) if sum(card[0] in "QKA" for card in deal[0]) >= 2])
    (share,) = found.qualifying
    naive = (share.seen - share.rounds * 15_380 / 22_100) / (share.rounds * 0.6959 * 0.3041) ** 0.5
    assert naive < -4
    assert abs(share.deviation) < 3
    assert {(test.is_dealer, test.adjusted < ODD) for test in found.cards} == {(False, True), (True, False)}


def test_six_card_lines_count_the_best_of_both_hands() -> None:
    found = played([(["2c", "2d", "9h"], ["2h", "Js", "4d"]), (["2c", "5d", "9h"], ["3h", "Js", "4d"])], kind="six_card_bonus")
    assert [(test.line, test.hands, test.seen) for test in found.lines] == [("three_of_a_kind", 2, 1)]


def test_a_reading_that_was_corrected_or_cannot_be_read_is_no_card() -> None:
    told = {"studio_id": STUDIO, "gaming_day": DAY, "table_id": "TCP-01", "is_current": True}
    readings = {
        "round_key": [0] * 4 + [1] * 3,
        "hand_key": [0] * 4 + [2] * 3,
        "seq": [1, 2, 3, 4, 1, 2, 3],
        "replaces": [None, None, None, 3] + [None] * 3,
    }
    cards = {"position": [1, 2, 3, 3, 1, 2, 3], "card": ["2c", "3d", "Kh", "4h", "2c", "3d", "??"]}
    con = filed(
        {
            "rounds": made(PARTITION_TABLES["rounds"], 2, told | {"round_key": [0, 1], "conflicting": False}),
            "hands": made(PARTITION_TABLES["hands"], 2, told | {"round_key": [0, 1], "hand_key": [0, 2], "is_dealer": False}),
            "card_readings": made(PARTITION_TABLES["card_readings"], 7, told | readings | cards),
            "settlements": PARTITION_TABLES["settlements"].empty(),
            "daily_totals": PARTITION_TABLES["daily_totals"].empty(),
        }
    )
    assert behaviour(con).tests == ()
    assert con.execute("SELECT hand_key, cards FROM dealt_hands").fetchall() == [(0, BIT["2c"] + BIT["3d"] + BIT["4h"])]


def test_the_little_that_was_dealt_is_not_tested_and_said_so() -> None:
    found = played(dealt(20))
    assert found.cards == ()
    assert found.qualifying == ()
    assert found.untested == ("the dealer's qualifying share: 20 rounds, fewer than 100", "8 of 8 tests of the cards: too few rounds")


@pytest.mark.parametrize("qualifier", ["Q", "J", "A"])
def test_the_qualifying_chance_is_the_share_of_the_hands_that_are_left(qualifier: str) -> None:
    dealing = random.Random(7)  # noqa: S311
    for gone in (0, 3, 6, 21):
        cards = dealing.sample(DECK, gone)
        left = [card for card in DECK if card not in cards]
        lowest = "23456789TJQKA".index(qualifier)
        hands = [(sum(BIT[card] for card in hand), max("23456789TJQKA".index(card[0]) for card in hand)) for hand in combinations(left, 3)]
        share = sum(STRENGTH[bits] > HIGHEST_CARD or high >= lowest for bits, high in hands) / len(hands)
        mask = pl.DataFrame({"cards": [sum(BIT[card] for card in cards)]}, schema={"cards": pl.UInt64})
        assert mask.select(qualifying_chance(pl.col("cards"), qualifier)).item() == pytest.approx(share)
