"""A delivery that is changed in a way whose effect is known: that effect, and no other."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.audit import Request, audit
from pipeline.lake import open_lake

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Round = dict[str, Any]

SETTLED = (
    "round_id", "wager_id", "operator_id", "player_id", "kind", "currency", "stake", "outcome", "line", "odds", "hand_category",
    "dealer_category", "expected", "expected_bonus", "paid", "bonus_paid", "delta", "settlement", "settlement_reason", "rule", "status",
)  # fmt: skip
FOUND = ("check_id", "severity", "round_id", "wager_id", "hand_id", "operator_id", "player_id", "currency", "expected", "paid", "delta")
AMOUNTS = ("stake", "expected", "expected_bonus", "paid", "bonus_paid", "delta")
SCALE = 7
SUITS = str.maketrans("cdhs", "dhsc")


@dataclass(frozen=True)
class Told:
    """What a lake says of wagers, and what it finds."""

    settled: pl.DataFrame
    found: pl.DataFrame

    @classmethod
    def of(cls, lake: Path) -> Told:
        with open_lake(lake) as con:
            settled, found = (
                con.sql(f"SELECT {', '.join(columns)} FROM {table}").pl()
                for table, columns in (("settlements", SETTLED), ("findings", FOUND))
            )
        return cls(settled, found)

    def but(self, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Told:
        return Told(change(self.settled), change(self.found))

    def is_like(self, other: Told) -> None:
        for mine, theirs in ((self.settled, other.settled), (self.found, other.found)):
            assert_frame_equal(mine, theirs, check_row_order=False)


@pytest.fixture(scope="module")
def rounds(first_rounds: Path) -> list[Round]:
    return [json.loads(line) for line in first_rounds.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def plain(first_rounds: Path, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Told:
    lake = tmp_path_factory.mktemp("plain") / "lake"
    audit(Request((first_rounds,), sample / "filings", lake))
    told = Told.of(lake)
    assert told.found.height > 5
    assert told.settled["line"].drop_nulls().n_unique() > 3
    return told


@pytest.fixture
def audited(sample: Path, tmp_path: Path) -> Callable[..., Told]:
    """What is told of deliveries, each a list of files, audited one after the other."""

    def run(*deliveries: list[list[Round]]) -> Told:
        for number, files in enumerate(deliveries):
            folder = tmp_path / f"delivery-{number}"
            folder.mkdir()
            for place, file in enumerate(files):
                (folder / f"{number}-{place}.ndjson").write_text("".join(json.dumps(one) + "\n" for one in file))
            audit(Request((folder,), sample / "filings", tmp_path / "lake"))
        return Told.of(tmp_path / "lake")

    return run


def walked(value: Any, change: Callable[[str, Any], Any], key: str = "") -> Any:
    """The value with every leaf changed that the change knows by its key."""
    if isinstance(value, dict):
        return {name: walked(one, change, name) for name, one in value.items()}
    if isinstance(value, list):
        return [walked(one, change, key) for one in value]
    return change(key, value)


@pytest.mark.exhaustive
def test_order_of_rounds_participants_hands_and_files_has_no_effect(rounds: list[Round], plain: Told, audited: Callable[..., Told]) -> None:
    chance = random.Random(1)  # noqa: S311
    mixed = json.loads(json.dumps(rounds))
    chance.shuffle(mixed)
    for one in mixed:
        # A round that is told twice is mixed alike: two orders would be two tellings.
        alike = random.Random(one["round_id"])  # noqa: S311
        for name in ("participants", "hands"):
            alike.shuffle(one.get(name, []))
    audited([mixed[:9], mixed[9:30], mixed[30:]]).is_like(plain)


@pytest.mark.exhaustive
def test_deliveries_split_merged_and_repeated_end_alike(rounds: list[Round], plain: Told, audited: Callable[..., Told]) -> None:
    audited([rounds[:25]], [rounds[10:30], rounds[5:12]], [rounds], [rounds]).is_like(plain)


@pytest.mark.exhaustive
def test_players_who_swap_ids_swap_their_wagers_and_findings_and_nothing_else(
    rounds: list[Round], plain: Told, audited: Callable[..., Told]
) -> None:
    players = sorted(plain.settled["player_id"].unique())
    other = dict(zip(players, [*players[1:], players[0]], strict=True))
    swapped = walked(rounds, lambda key, value: other.get(value, value) if key in {"player_id", "player_ids"} else value)
    renamed = pl.col("player_id").replace(other)
    # Ids that the log does not give are made of the order of wagers, which stays.
    audited([swapped]).is_like(plain.but(lambda frame: frame.with_columns(renamed)))


def test_suits_that_trade_places_change_only_lines_that_name_a_suit(rounds: list[Round], plain: Told, audited: Callable[..., Told]) -> None:
    def relabelled(key: str, value: Any) -> Any:
        return value[:-1] + value[-1].translate(SUITS) if key in {"card", "cards", "dealer_hand"} and isinstance(value, str) else value

    suited = pl.col("line").str.contains("spades|diamonds|royal_other|mini_royal").fill_null(value=False)
    told = audited([walked(rounds, relabelled)])
    wagers = ["round_id", "wager_id", "operator_id", "player_id"]
    named = pl.concat([one.settled.filter(suited).select(wagers) for one in (told, plain)])
    without = [one.but(lambda frame: frame.join(named, on=wagers, how="anti", nulls_equal=True)) for one in (told, plain)]
    assert without[0].settled.height > 0.9 * plain.settled.height
    without[0].is_like(without[1])


@pytest.mark.exhaustive
def test_stakes_that_are_scaled_scale_what_is_due_paid_and_found(rounds: list[Round], plain: Told, audited: Callable[..., Told]) -> None:
    def scaled(key: str, value: Any) -> Any:
        if key not in {"stake", "paid", "bonus_paid", "min", "max"} or value is None:
            return value
        whole, _, part = value.partition(".")
        cents = int(whole + part.ljust(2, "0")) * SCALE
        return f"{cents // 100}.{cents % 100:02d}"

    # A stake may leave the filed limits, a displayed limit is no longer the filed one, and meters take in what they took before.
    moved = ["stake_outside_limits", "displayed_not_as_filed", "meter_contribution_mismatch"]
    told = audited([walked(rounds, scaled)])
    wagers = ["round_id", "wager_id", "operator_id", "player_id"]
    priced = plain.settled.filter(pl.col("odds").is_null() | pl.col("odds").str.contains(" (to|for) ")).select(wagers)

    def expected(frame: pl.DataFrame) -> pl.DataFrame:
        amounts = [pl.col(name) * SCALE for name in AMOUNTS if name in frame.columns]
        return frame.with_columns(amounts).cast({name: frame.schema[name] for name in AMOUNTS if name in frame.columns})

    def comparable(frame: pl.DataFrame) -> pl.DataFrame:
        if "check_id" in frame.columns:
            return frame.filter(~pl.col("check_id").is_in(moved))
        return frame.join(priced, on=wagers, how="semi", nulls_equal=True)

    assert priced.height > 0.9 * plain.settled.height
    told.but(comparable).is_like(plain.but(comparable).but(expected))
