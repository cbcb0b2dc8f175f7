"""Which telling counts, held against a plain model of the rules over random sequences of deliveries."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from pipeline.feeds.blocks import ReadLimits

if TYPE_CHECKING:
    from collections.abc import Callable

Told = dict[str, Any]
RECORDED = (None, "2026-11-05T00:00:00.000Z", "2026-11-06T00:00:00.000Z")
OPENED = ("2026-11-03T15:00:00.000Z", "2026-11-03T18:00:00.000Z", "2026-11-07T15:00:00.000Z")


def key_of(told: Told) -> str:
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


@dataclass
class Round:
    """The state of one round: its distinct contents in order of arrival, and those that hold."""

    contents: list[Told] = field(default_factory=list)
    holds: list[Told] = field(default_factory=list)

    def deliver(self, brought: list[Told]) -> None:
        distinct = list({key_of(told): told for told in brought}.values())
        for told in sorted(distinct, key=key_of):
            if told not in self.contents:
                self.contents.append(told)

        def rank(told: Told) -> tuple[int, str]:
            revision = told.get("revision")
            return (-(10**9) if revision is None else revision, told.get("recorded_at") or "")

        top = [told for told in distinct if rank(told) == max(map(rank, distinct))]
        if self._wins(top[0]):
            self.holds = top

    def _wins(self, new: Told) -> bool:
        if not self.holds:
            return True
        for name, equal_wins in (("revision", False), ("recorded_at", True)):
            later, before = new.get(name), self.holds[0].get(name)
            if later is not None and before is not None and (equal_wins or later != before):
                return bool(later >= before)
        return True

    @property
    def current(self) -> Told:
        return min(self.holds, key=key_of)

    def standing(self) -> dict[str, tuple[bool, bool]]:
        return {key_of(told): (told == self.current, told in self.holds and len(self.holds) > 1) for told in self.contents}

    def wagers(self) -> list[str]:
        return sorted({wager["wager_id"] for told in self.holds for wager in told["participants"][0]["wagers"]})


@pytest.fixture
def contents(a_round: Callable[..., Told]) -> Callable[[random.Random], Told]:
    """A random content of one of three rounds. ``deck_id`` tells contents apart."""

    def make(dice: random.Random) -> Told:
        told = a_round(round_id=f"R{dice.randrange(3)}", deck_id=f"d{dice.randrange(3)}", opened_at=dice.choice(OPENED))
        if (revision := dice.choice([None, 1, 2])) is not None:
            told["revision"] = revision
        if (recorded := dice.choice(RECORDED)) is not None:
            told["recorded_at"] = recorded
        for wager in told["participants"][0]["wagers"][dice.choice([2, 2, 1]) :]:
            wager["wager_id"] = "w9"
        return told

    return make


def everything(delivery: Any) -> tuple[pl.DataFrame, pl.DataFrame, list[Any]]:
    chunks = [chunk for night in delivery.stage.partitions() for chunk in delivery.stage.chunks(night)]
    told = [(chunk.rounds, chunk.wagers.join(chunk.rounds.select("round_key", "deck_id", "revision"), on="round_key")) for chunk in chunks]
    return pl.concat(rounds for rounds, _ in told), pl.concat(wagers for _, wagers in told), chunks


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(10, 40))])
def test_random_deliveries_end_as_the_model_says(seed: int, contents: Callable[[random.Random], Told], read: Callable[..., Any]) -> None:
    dice = random.Random(seed)  # noqa: S311
    pool = [contents(dice) for _ in range(8)]
    model: dict[str, Round] = {}
    published: list[Any] = []
    for _ in range(dice.randint(2, 5)):
        brought = [dice.choice(pool) for _ in range(dice.randint(1, 6))]
        delivery = read(
            {"a.ndjson": brought[::2], "b.ndjson": brought[1::2]}, limits=ReadLimits(), published=lambda _, held=published: held
        )
        for round_id in {told["round_id"] for told in brought}:
            model.setdefault(round_id, Round()).deliver([told for told in brought if told["round_id"] == round_id])
        rounds, wagers, published = everything(delivery)
        for round_id, expected in model.items():
            mine = rounds.filter(pl.col("round_id") == round_id)
            got = {named(row): (row["is_current"], row["conflicting"]) for row in mine.iter_rows(named=True)}
            assert got == {named_told(told): expected.standing()[key_of(told)] for told in expected.contents}, round_id
            assert mine.height == len(expected.contents)
            current = wagers.filter(pl.col("round_id") == round_id, pl.col("is_current"))
            assert sorted(current["wager_id"]) == expected.wagers()


def named(row: dict[str, Any]) -> tuple[Any, ...]:
    recorded = row["recorded_at"].strftime("%d") if row["recorded_at"] else None
    return row["deck_id"], row["revision"], recorded, row["opened_at"].strftime("%d%H")


def named_told(told: Told) -> tuple[Any, ...]:
    recorded = told["recorded_at"][8:10] if told.get("recorded_at") else None
    return told["deck_id"], told.get("revision"), recorded, told["opened_at"][8:10] + told["opened_at"][11:13]
