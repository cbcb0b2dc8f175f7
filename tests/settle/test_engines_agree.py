"""The two engines on the same rounds: every column of every wager, over random rounds of the worst kind and over every deal there is."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.core.cards import FIVE_CARD_CATEGORIES
from pipeline.core.schema import ENGINE
from pipeline.reconcile.session import open_session
from pipeline.settle.hands import THREE_CARD_CLASSES, all_three_card_hands
from pipeline.settle.six_cards import SIX_CARD_CLASSES, six_card_classes
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle
from tests.support.chunks import make_chunk, make_round
from tests.support.nasty_chunks import edge_chunk, edge_filed, nasty_chunk, nasty_filed
from tests.support.twins import twin

if TYPE_CHECKING:
    import duckdb

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk


def differences(seed: int) -> pl.DataFrame:
    """Wager, column and both values wherever the engines differ on the chunk of this seed."""
    rng = Random(seed)  # noqa: S311 - rounds for a test, the same each time
    filed = nasty_filed(rng)
    return apart(nasty_chunk(rng), filed)


def apart(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Wager, column and both values wherever the engines differ."""
    ours, theirs = settle(chunk, filed), twin().settle(chunk, filed)
    assert ours.schema == theirs.schema == ENGINE.schema
    assert ours["wager_key"].to_list() == theirs["wager_key"].to_list() == chunk.wagers.filter("is_current")["wager_key"].to_list()
    told = [
        pl.select(wager_key=ours["wager_key"], column=pl.lit(name), polars=ours[name].cast(pl.String), sql=theirs[name].cast(pl.String))
        for name in ENGINE.schema.names()
    ]
    return pl.concat(told).filter(pl.col("polars").ne_missing(pl.col("sql"))).sort("wager_key", "column")


@pytest.mark.parametrize("seed", [*range(12), 169, 484])  # 169: a card read twice, once without a place; 484: a meter that is not filed
def test_engines_agree_on_nasty_rounds(seed: int) -> None:
    assert differences(seed).rows() == []


def test_engines_agree_on_rounds_at_the_edge_of_a_clause() -> None:
    assert apart(edge_chunk(), edge_filed()).rows() == []


def test_engines_agree_on_a_wager_that_stands_where_the_dealers_hand_does_not() -> None:
    told = make_chunk(make_round(wagers=[("ante", "10.00"), ("play", "10.00")]))
    of_the_player_alone = told.hands.with_columns(is_current=~pl.col("is_dealer"))
    conflicting = told.rounds.with_columns(conflicting=pl.lit(value=True))
    assert apart(replace(told, rounds=conflicting, hands=of_the_player_alone), edge_filed()).rows() == []


@pytest.mark.exhaustive
def test_engines_agree_on_many_nasty_rounds() -> None:
    assert {seed: found.rows() for seed in range(12, 412) if not (found := differences(seed)).is_empty()} == {}


def _both_rankings() -> duckdb.DuckDBPyConnection:
    """The SQL engine's connection with ``ranked_twice``: each hand's mask, its class and strength as either engine has them."""
    con = Twin(open_session()).con
    con.register("theirs", all_three_card_hands())
    con.execute(
        """
        CREATE TEMP TABLE ranked_twice AS
        SELECT
            mine.cards_mask, mine.class_no, theirs.three_class, mine.strength, theirs.strength AS their_strength, mine.rank_key,
            mine.suit_key, low.card_no AS low, high.card_no AS high, theirs.bits
        FROM theirs
        JOIN card_faces AS low ON low.card_no = theirs.low
        JOIN card_faces AS middle ON middle.card_no = theirs.middle
        JOIN card_faces AS high ON high.card_no = theirs.high
        JOIN three_card_hands AS mine ON mine.cards_mask = low.card_bit | middle.card_bit | high.card_bit
        """
    )
    return con


def test_engines_class_all_22_100_hands_alike() -> None:
    con = _both_rankings()
    names = list(THREE_CARD_CLASSES)
    mine = ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal", "mini_royal_spades"]
    told = con.sql("SELECT class_no, three_class, count(*) FROM ranked_twice GROUP BY ALL").fetchall()
    assert sum(count for *_, count in told) == 22_100
    assert {(mine[class_no], names[three_class]) for class_no, three_class, _ in told} == {(name, name) for name in mine}


@pytest.mark.exhaustive
def test_engines_decide_all_407_170_400_deals_alike() -> None:
    counts = (
        _both_rankings()
        .sql(
            """
        SELECT
            count(*),
            count(*) FILTER (sign(a.strength - b.strength) <> sign(a.their_strength - b.their_strength)),
            count(*) FILTER (a.strength > b.strength),
            count(*) FILTER (a.strength < b.strength)
        FROM ranked_twice AS a JOIN ranked_twice AS b ON a.cards_mask & b.cards_mask = 0
        """
        )
        .fetchall()[0]
    )
    assert counts[:2] == (407_170_400, 0)
    assert counts[2] == counts[3]


@pytest.mark.exhaustive
def test_engines_class_all_20_358_520_six_card_hands_alike() -> None:
    six = (
        _both_rankings()
        .sql(
            """
        SELECT
            CAST(a.bits AS UBIGINT) | b.bits AS bits,
            CASE
                WHEN suited_ranks.nine_to_ace THEN if(flush_suits.suit_no = 1, 11, 10)
                ELSE greatest(six_card_ranks.category_no, coalesce(suited_ranks.category_no, 0))
            END AS class_no
        FROM ranked_twice AS a
        JOIN ranked_twice AS b ON a.high < b.low
        JOIN six_card_ranks ON six_card_ranks.rank_key = a.rank_key + b.rank_key
        LEFT JOIN flush_suits ON flush_suits.suit_key = a.suit_key + b.suit_key
        LEFT JOIN suited_ranks ON suited_ranks.rank_mask = ((a.cards_mask | b.cards_mask) >> (13 * flush_suits.suit_no)) & 8191
        """
        )
        .pl()
    )
    mine = [*FIVE_CARD_CATEGORIES, "super_royal_other", "super_royal_diamonds"]
    told = pl.DataFrame({"mine": six["class_no"], "theirs": six_card_classes(six["bits"])}).group_by("mine", "theirs").len()
    assert told["len"].sum() == 20_358_520
    assert all(mine[row["mine"]] == SIX_CARD_CLASSES[row["theirs"]] for row in told.iter_rows(named=True))
