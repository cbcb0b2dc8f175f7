"""A profile says what it may say, and each slip is told by its key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.core.errors import InputError
from pipeline.feeds.profile import Cards, read_profile

EXAMPLE = Path(__file__).parents[2] / "docs" / "profiles" / "game-history.toml"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.toml"
    path.write_text(text)
    return path


def test_the_example_in_the_docs_is_a_profile() -> None:
    profile = read_profile(EXAMPLE)
    assert profile is not None
    assert profile.history is not None
    assert profile.history.codes["XQ_EXTRA"] == "ante_bonus"
    assert profile.history.lacks == frozenset()


def test_a_profile_of_the_wallet_alone_says_nothing_of_the_feed(tmp_path: Path) -> None:
    assert read_profile(write(tmp_path, '[wallet]\ndebits = "negative"\n')) is None


@pytest.mark.parametrize(
    ("cards", "spelt", "card"),
    [
        (Cards(suits="CDHS"), "QD", "Qd"), (Cards(), "Qd", "Qd"), (Cards(ten="10"), "10d", "Td"), (Cards(suits="CDHS"), "TD", "Td"),
        (Cards(suits="CDHS", lower_ranks=True), "qD", "Qd"), (Cards(suits="♣♦♥♠"), "A♠", "As"),
    ],
)  # fmt: skip
def test_how_cards_are_spelt(cards: Cards, spelt: str, card: str) -> None:
    spelling = cards.spelling()
    assert spelling[spelt] == card
    assert len(spelling) == 52


CHANGES = {
    "a key that is none": ("payout = ", "payuot = ", "history: Object missing required field `payout`|unknown field `payuot`"),
    "a word that is none": ('payout = "net"', 'payout = "nett"', "history.payout: Invalid enum value 'nett'"),
    "a time zone that is none": ("Europe/Riga", "Europe/Rig", "timezone: 'Europe/Rig' is no time zone"),
    "no studio": ('studio_id = "studio-7"', "", "studio_id: must be said once"),
    "two operators": ("# operator_id =", "operator_id =", "operator_id: must be said once"),
    "bonus of its own without a code": ('XQ_EXTRA = "ante_bonus"', "", "history.ante_bonus"),
    "bonus code without bonus of its own": ('ante_bonus = "own_code"', 'ante_bonus = "in_ante"', "history.ante_bonus"),
    "a unit of nothing": ("VND = 1000", "VND = 0", "Expected `int` >= 1"),
    "a unit of no currency": ("VND = 1000", "vnd = 1000", "matching regex"),
    "a unit that is a float": ("VND = 1000", "VND = 0.5", "Expected `int`, got `float`"),
    "suits that are three": ('suits = "CDHS"', 'suits = "CDH"', "cards.suits: Expected `str` of length >= 4"),
    "suits that repeat": ('suits = "CDHS"', 'suits = "CDHH"', "cards.suits: 'CDHH' are not four suits"),
    "a place that is no place": ('"table.id"', '"table..id"', "history.places.game.table_id"),
    "two fields of one place": ('"betsClosedAt"', '"startedAt"', "'startedAt' is the place of"),
    "a place within another": ('"check.by"', '"check.at.who"', "is the place of verified_at too"),
    "the participants' place": ('"writtenAt"', '"participants"', "'participants' is the place of"),
    "an amount's key twice": ('"cancellation.reason"', '"cancellation.stake"', "another field is called 'stake' too"),
    "seats and a shared hand": ("# hand_id", "hand_id", "history.shared_hand: is true"),
    "no seats and no shared hand": ("shared_hand = true", "shared_hand = false", "history.shared_hand: is false"),
    "a status that is none": ('Running = "open"', 'Running = "running"', "history.words.game"),
    "history of another format": ('format = "game-history"', 'format = "tables"', "history: goes with format"),
    "a format that is none": ('format = "game-history"', 'format = "xml"', "format: Invalid enum value 'xml'"),
    "a table that is none": ("\n[feed.cards]", "\n[cards]", "'cards' is no table of a profile"),
    "a number without end": ("shared_hand = true", f"shared_hand = {'9' * 5000}", "the profile is no TOML: it holds a number"),
    "lists without end": ("shared_hand = true", f"shared_hand = {'[' * 3000}", "the profile is no TOML: it is nested too deep"),
    "no toml": ("\n[feed.cards]", "\n[feed.cards", "the profile is no TOML"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_slip_is_told_by_its_key(case: str, tmp_path: Path) -> None:
    old, new, says = CHANGES[case]
    text = EXAMPLE.read_text()
    assert old in text
    with pytest.raises(InputError, match=says if "|" in says else re.escape(says)) as error:
        read_profile(write(tmp_path, text.replace(old, new, 1)))
    assert str(error.value).startswith("p.toml")


def test_a_profile_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        read_profile(tmp_path / "none.toml")
