"""Hold and payout lines beside theory, and what a time-out cost, over the sample day."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from pipeline.lake import open_lake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

    from pipeline.audit import Outcome


@pytest.fixture(scope="module")
def con(audited: tuple[Path, Outcome]) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_lake(audited[0]) as opened:
        yield opened


def test_theoretical_hold_is_the_edge_of_what_was_staked(con: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT settlement, funding, kind, handle, house_edge, theoretical_hold FROM daily_totals"
    told = con.execute(sql).fetchall()
    judged = [row for row in told if row[5] is not None]
    assert {(row[0], row[1]) for row in judged} == {("settled", "cash")}
    assert {row[2] for row in judged} > {"ante", "play", "pair_plus", "six_card_bonus", "progressive", "trio_bonus"}
    for _, _, kind, handle, edge, hold in judged:
        if kind in {"ante", "play", "pair_plus"}:
            assert abs(Fraction(hold) - Fraction(handle) * Fraction(edge)) <= Fraction(1, 2_000_000)
    assert [row for row in told if row[:2] == ("settled", "cash") and row[5] is None] == []


def test_the_lines_of_a_wager_are_all_there_and_expect_what_the_deck_gives(con: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT line, hits, expected_hits, dealt
        FROM payout_lines
        WHERE table_id = 'TCP-03' AND kind = 'pair_plus' AND currency = 'USD' AND line IS NOT NULL
        ORDER BY line
    """
    told = con.execute(sql).fetchall()
    assert [row[0] for row in told] == ["flush", "pair", "straight", "straight_flush", "three_of_a_kind"]
    ways = {"flush": 1_096, "pair": 3_744, "straight": 720, "straight_flush": 48, "three_of_a_kind": 52}
    for line, _, expected, dealt in told:
        assert abs(Fraction(expected) - Fraction(dealt * ways[line], 22_100)) <= Fraction(1, 2_000_000)
    assert 0 in {row[1] for row in told}
    sql = "SELECT sum(hits) FROM payout_lines"
    settled = "SELECT count(*) FROM settlements WHERE play_mode = 'real' AND settlement = 'settled' AND outcome <> 'forfeit'"
    assert con.execute(sql).fetchall() == con.execute(settled).fetchall()


def test_a_time_out_costs_the_ante_the_side_wagers_and_what_they_would_have_won(con: duckdb.DuckDBPyConnection) -> None:
    sql = """
        SELECT hand_category, ante, side_stakes, bonus_missed, side_wins_missed
        FROM timeout_harm
        WHERE round_id = $round AND player_id = $player
    """
    for round_id, player, *cost in (
        ("TCP-03-0000075", "px3244010", "straight", 5, 0, 5, 0),
        ("TCP-03-0000085", "px3244010", "flush", 5, 2, 0, 10),
        ("TCP-03-0000071", "px3399259", "pair", 20, "4.50", 0, 4),
    ):
        (told,) = con.execute(sql, {"round": round_id, "player": player}).fetchall()
        assert told == (cost[0], *(Decimal(one) for one in cost[1:]))
    assert con.execute("SELECT count(*) FROM timeout_harm WHERE hand_category = 'high_card'").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("FROM hand_category(['Qs', 'Ks', 'As'])", (["Qs", "Ks", "As"], "straight_flush", 52_727)),
        ("SELECT winner FROM hand_strength(['Qs', '3d', '2h'], ['Js', 'Td', '8h'])", ("player",)),
        ("SELECT winner FROM hand_strength(['As', '3d', '2h'], ['4s', '3c', '2d'])", ("dealer",)),
        ("SELECT winner FROM hand_strength(['As', '3d', '2h'], ['Ah', '3c', '2d'])", ("tie",)),
        ("SELECT winner FROM hand_strength(['As', '3d', '??'], ['Ah', '3c', '2d'])", (None,)),
        ("SELECT category FROM best_five_of_six(['Ts', 'Js', 'Qs', 'Ks', 'As', '2d'])", ("royal_flush",)),
        ("SELECT handed_back, result FROM settle_wager(5, 'win', '40 to 1')", (205, 200)),
        ("SELECT handed_back, result FROM settle_wager(5, 'win', '40 to 1', 'free')", (200, 200)),
        ("SELECT handed_back, result FROM settle_wager(5, 'lose')", (0, -5)),
        ("SELECT hand_category(['Qs', 'Ks', 'As']), settle_wager(5, 'win', '40 to 1')", ("straight_flush", 205)),
    ],
)
def test_a_hand_is_ranked_and_a_wager_settled_by_hand(sql: str, told: tuple[object, ...], con: duckdb.DuckDBPyConnection) -> None:
    assert con.execute(sql).fetchall() == [told]


def test_each_macro_to_rank_and_settle_stands_as_scalar_and_as_table_with_an_example(con: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT function_name, function_type, comment FROM duckdb_functions() WHERE NOT internal"
    comments = {(name, kind): comment for name, kind, comment in con.execute(sql).fetchall()}
    for name in ("hand_category", "hand_strength", "best_five_of_six", "settle_wager"):
        for kind in ("macro", "table_macro"):
            assert f"{name}(" in comments[name, kind].partition("\n")[0]
            assert comments[name, kind].count(f"{name}(") >= 2
