"""Filings as TOML for tests: a clean Pennsylvania filing of studio-7, changed by swapping or adding text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.filings.load import Filings, load_filings

if TYPE_CHECKING:
    from pathlib import Path

CLEAN = """\
[filing]
id = "keystone-tcp-2026"
operator = "Keystone Example"
studio = "studio-7"
game = "three_card_poker"
jurisdiction = "US-PA"
effective_from = 2026-01-01
tables = ["TCP-01", "TCP-02"]
currencies = ["USD"]
decks = 2
deck_alternation = true
gaming_day = { timezone = "America/New_York", starts_at = "06:00" }

[limits]
ante = { min = "1.00", max = "500.00" }

[wagers.ante_bonus]
odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }

[wagers.pair_plus]
odds = { straight_flush = "40 to 1", three_of_a_kind = "30 to 1", straight = "6 to 1", flush = "4 to 1", pair = "1 to 1" }
forfeited_by_fold = true

[wagers.six_card_bonus]
forfeited_by_fold = false
[wagers.six_card_bonus.odds]
royal_flush = "1000 to 1"
straight_flush = "200 to 1"
four_of_a_kind = "50 to 1"
full_house = "25 to 1"
flush = "20 to 1"
straight = "10 to 1"
three_of_a_kind = "5 to 1"
"""


def submission(*swaps: tuple[str, str], add: str = "") -> str:
    """The clean filing with each first text swapped for the second, and more appended."""
    text = CLEAN
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new)
    return f"{text}\n{add}\n"


def load_texts(folder: Path, *texts: str) -> Filings:
    """Load filings from files ``0.toml``, ``1.toml``, … in the folder."""
    for number, text in enumerate(texts):
        (folder / f"{number}.toml").write_text(text, encoding="utf-8")
    return load_filings(folder)
