"""The roster is read as it stands, and what cannot be read names its line."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import InputError
from pipeline.feeds.roster import ROSTER, read_roster

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "dealer_id,game,certified_from,certified_to,route,hours,weeks\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_certificate(tmp_path: Path) -> None:
    frame = read_roster(written(tmp_path, HEADER + "D1,three_card_poker,2026-01-05,2027-01-04,full,100,5\n"))
    assert frame.schema == ROSTER.schema
    assert frame.row(0) == (
        "D1", "three_card_poker", date(2026, 1, 5), date(2027, 1, 4), "full", Decimal(100), Decimal(5), "roster.csv", 2,
    )  # fmt: skip


def test_an_open_certificate_without_training_data_and_a_second_one(tmp_path: Path) -> None:
    frame = read_roster(written(tmp_path, HEADER + "D1,three_card_poker,2026-01-05,,,,\nD1,blackjack,2025-01-05,,,62.5,\n"))
    assert frame["certified_to"].to_list() == [None, None]
    assert frame["hours"].to_list() == [None, Decimal("62.5")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (",three_card_poker,2026-01-05,,,,", "roster.csv:2: dealer_id is empty"),
        ("D1,three_card_poker,,,,,", "roster.csv:2: certified_from is empty"),
        ("D1,three_card_poker,2026-1-5,,,,", "roster.csv:2: certified_from '2026-1-5'"),
        ("D1,three_card_poker,2026-01-05,2026-01-04,,,", "roster.csv:2: certified_to 2026-01-04 is before"),
        ("D1,three_card_poker,2026-01-05,,full,many,5", "roster.csv:2: hours 'many'"),
    ],
)
def test_what_cannot_be_read_names_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_roster(written(tmp_path, HEADER + line + "\n"))
