"""What must not change what is due: the names of suits, the order of rows, how rounds are cut into chunks."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.core.cards import DECK
from pipeline.core.schema import ENGINE, Chunk
from pipeline.settle.wagers import settle
from tests.support.chunks import Row, bet, make_chunk, make_round, player
from tests.support.filings import filing, make_filed
from tests.support.nasty_chunks import nasty_chunk, nasty_filed

FILED = make_filed(filing())
KINDS = ("ante", "play", "pair_plus", "six_card_bonus", "unfiled")


@st.composite
def a_round(draw: st.DrawFn, round_id: str) -> Row:
    cards = draw(st.permutations(DECK))
    people = []
    for seat in range(draw(st.integers(1, 3))):
        kinds = draw(st.lists(st.sampled_from(KINDS), max_size=5))
        status = st.sampled_from(["accepted", "accepted", "accepted", "rejected", "cancelled"])
        stakes = st.integers(1, 10**8).map(lambda cents: f"{cents // 100}.{cents % 100:02}")
        bets = [bet(kind, draw(stakes), status=draw(status), wager_id=f"{round_id}-{seat}-{n}") for n, kind in enumerate(kinds)]
        people.append(
            player(
                *bets, player_id=f"p{seat}", hand_id=f"H{draw(st.integers(1, 2))}", decision=draw(st.sampled_from(["play", "fold", None]))
            )
        )
    hands = {"H1": " ".join(cards[:3]), "H2": " ".join(cards[3:6])}
    told = make_round(hands=hands, dealer=" ".join(cards[6:9]), participants=people, round_id=round_id)
    if draw(st.booleans()):
        told |= {"void": {"scope": "part", "player_ids": ["p0"]}}
    return told | {"status": draw(st.sampled_from(["settled", "settled", "settled", "voided", "open"]))}


ROUNDS = st.integers(1, 3).flatmap(lambda count: st.tuples(*(a_round(f"r{number}") for number in range(count))))


def shuffled(chunk: Chunk, seed: int) -> Chunk:
    return Chunk(**{field.name: getattr(chunk, field.name).sample(fraction=1, shuffle=True, seed=seed) for field in fields(Chunk)})


def turned(told: Any) -> Any:
    """The same with the rows of every table from the last to the first."""
    return type(told)(**{field.name: getattr(told, field.name).reverse() for field in fields(told)})


def relabelled(told: Any, suits: dict[str, str]) -> Any:
    if isinstance(told, dict):
        return {key: relabelled(value, suits) for key, value in told.items()}
    if isinstance(told, list):
        return [relabelled(value, suits) for value in told]
    return told[0] + suits[told[1]] if isinstance(told, str) and told in DECK else told


@settings(deadline=None, max_examples=25)
@given(ROUNDS, st.permutations("cdhs"))
def test_suits_can_be_renamed(rounds: tuple[Row, ...], suits: list[str]) -> None:
    other = [relabelled(told, dict(zip("cdhs", suits, strict=True))) for told in rounds]
    assert settle(make_chunk(*rounds), FILED).equals(settle(make_chunk(*other), FILED))


@settings(deadline=None, max_examples=25)
@given(ROUNDS, st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(rounds: tuple[Row, ...], seed: int) -> None:
    chunk = make_chunk(*rounds)
    assert settle(chunk, FILED).equals(settle(shuffled(chunk, seed), FILED))


@pytest.mark.parametrize("seed", range(2))
def test_the_order_in_which_nasty_rounds_and_filings_are_told_does_not_matter(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - rounds for a test, the same each time
    filed, chunk = nasty_filed(rng), nasty_chunk(rng)
    assert settle(turned(chunk), turned(filed)).equals(settle(chunk, filed))


@settings(deadline=None, max_examples=25)
@given(ROUNDS)
def test_rounds_settle_apart_as_together(rounds: tuple[Row, ...]) -> None:
    chunk = make_chunk(*rounds)
    parts = [
        settle(Chunk(**{field.name: getattr(chunk, field.name).filter(pl.col("round_key") == key) for field in fields(Chunk)}), FILED)
        for key in chunk.rounds["round_key"]
    ]
    assert settle(chunk, FILED).equals(pl.concat(parts).sort("wager_key"))


@settings(deadline=None, max_examples=25)
@given(ROUNDS)
def test_every_wager_has_one_row_and_money_only_where_it_is_owed(rounds: tuple[Row, ...]) -> None:
    chunk = make_chunk(*rounds)
    got = settle(chunk, FILED)
    assert got.schema == ENGINE.schema
    assert got["wager_key"].to_list() == chunk.wagers.filter("is_current").sort("wager_key")["wager_key"].to_list()
    owed = pl.col("settlement").is_in(["settled", "voided"])
    assert got.filter(owed != pl.col("expected").is_not_null()).is_empty()
    assert got.filter(owed != pl.col("outcome").is_not_null()).is_empty()
    assert got.filter((pl.col("settlement") == "settled") & pl.col("settlement_reason").is_not_null()).is_empty()
    assert got.filter((pl.col("settlement") == "unsettleable") & pl.col("settlement_reason").is_null()).is_empty()
    assert got.filter(pl.col("expected") < 0).is_empty()


def test_an_empty_chunk_settles_to_nothing() -> None:
    assert settle(make_chunk(), FILED).equals(ENGINE.empty())
    assert settle(make_chunk(make_round(participants=[])), FILED).equals(ENGINE.empty())
