from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.feeds.staged import round_hash
from pipeline.lake import round_days as index
from pipeline.lake.earlier import Published
from pipeline.lake.facts import PartitionFacts, TableFacts
from pipeline.lake.manifest import Manifest, State

if TYPE_CHECKING:
    from pathlib import Path

FIRST = date(2026, 11, 2)


class Nights(Published):
    """A lake of which only the index and the rounds' ids are there: each publish brings one night."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.chain = {}
        self.state = None

    def publish(self, *rounds: str, indexed: bool = True, polars: str = pl.__version__) -> None:
        number = len(self.chain) + 1
        night = FIRST + timedelta(days=number)
        file = f"rounds-{number}.parquet"
        told = pl.DataFrame({"studio_id": "s1", "round_id": rounds}, schema_overrides={"round_id": pl.String})
        told.with_columns(gaming_day=pl.lit(night)).write_parquet(self.root / file)
        parts = [PartitionFacts("s1", night, {"rounds": TableFacts(len(rounds), "", file if rounds else None)})]
        delivery = {}
        if indexed:
            piece = pl.concat(index.round_days(self, self.root, parts, round_hash()))
            piece.write_parquet(self.root / f"index-{number}.parquet")
            delivery = {"round_days": TableFacts(piece.height, "", f"index-{number}.parquet" if piece.height else None)}
        self.chain[number] = Manifest(number, "", "", {"polars": polars}, "", "", [], {}, parts, delivery, [], [])
        self.state = State(number, "", "", "", [], [])

    def found(self, *rounds: str) -> list[int]:
        """On which nights, by the number of their publish, these rounds are told."""
        wanted = pl.DataFrame({"studio_id": "s1", "round_id": rounds}).select(round_hash())
        return sorted((day - FIRST).days for _, day in index.nights_telling(self, wanted, round_hash()))

    def pieces(self) -> list[tuple[int, int]]:
        """First publish and rows of each piece, the latest first."""
        return [(piece.first, piece.rows) for piece in index._pieces(self, round_hash())]


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path)


def test_a_round_is_found_on_every_night_that_tells_it_at_any_distance(nights: Nights) -> None:
    for number in range(1, 41):
        nights.publish(f"r{number}", "again" if number in {3, 29} else f"other{number}")
    for number in range(1, 41):
        assert nights.found(f"r{number}") == [number]
    assert nights.found("again") == [3, 29]
    assert nights.found("r7", "r40", "never") == [7, 40]
    assert nights.found("never") == []


def test_many_nights_make_few_pieces(nights: Nights) -> None:
    for number in range(1, 65):
        nights.publish(f"r{number}")
        assert sum(rows for _, rows in nights.pieces()) == number
        assert len(nights.pieces()) <= 7


def test_a_piece_does_not_outgrow_its_limit(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MOST_ROWS", 4)
    for number in range(1, 17):
        nights.publish(f"r{number}")
    assert max(rows for _, rows in nights.pieces()) <= 4 < len(nights.pieces())
    assert nights.found("r1", "r16") == [1, 16]


def test_nights_without_an_index_or_with_another_version_s_are_read_and_taken_in_by_the_next(nights: Nights) -> None:
    nights.publish("r1", indexed=False)
    nights.publish("r2", polars="0.1")
    nights.publish()
    assert nights.found("r1", "r2") == [1, 2]
    nights.publish("r4")
    assert nights.pieces() == [(1, 3)]
    (nights.root / "rounds-1.parquet").unlink()
    assert nights.found("r1", "r4") == [1, 4]
