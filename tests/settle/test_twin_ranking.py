"""The ranking tables of the SQL engine and the macros that rank a hand, against the known counts and against each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from pipeline.core.cards import DECK, FIVE_CARD_CATEGORIES
from pipeline.core.money import MINOR_DIGITS
from pipeline.reconcile.session import open_session
from pipeline.settle.twin import Twin
from tests.support.twins import twin

if TYPE_CHECKING:
    import duckdb

THREE = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744, "high_card": 16440}
SIX = {
    "royal_flush": 188, "straight_flush": 1656, "four_of_a_kind": 14664, "full_house": 165984, "flush": 205792, "straight": 361620,
    "three_of_a_kind": 732160, "two_pair": 2532816, "pair": 9730740, "high_card": 6612900,
}  # fmt: skip


MASK = "SELECT bit_or(card_bit) FROM card_faces WHERE card IN"


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    return twin().con


def one(con: duckdb.DuckDBPyConnection, sql: str) -> object:
    row = con.sql(sql).fetchall()
    return row[0][0]


def test_the_deck_has_52_cards_with_a_bit_each(con: duckdb.DuckDBPyConnection) -> None:
    assert {card for (card,) in con.sql("SELECT card FROM card_faces").fetchall()} == set(DECK)
    assert one(con, "SELECT bit_count(bit_or(card_bit)) FROM card_faces") == 52


def test_three_card_counts(con: duckdb.DuckDBPyConnection) -> None:
    assert dict(con.sql("SELECT category, count(*) FROM three_card_hands GROUP BY ALL").fetchall()) == THREE
    assert one(con, "SELECT count(DISTINCT cards_mask) FROM three_card_hands") == 22_100


def test_three_card_order_has_741_strengths_and_a_straight_beats_a_flush(con: duckdb.DuckDBPyConnection) -> None:
    assert one(con, "SELECT count(DISTINCT strength) FROM three_card_hands") == 741
    order = con.sql("SELECT category FROM three_card_hands GROUP BY category ORDER BY min(strength)").fetchall()
    assert [category for (category,) in order] == ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]


def test_qualifying_hands(con: duckdb.DuckDBPyConnection) -> None:
    assert one(con, "SELECT count(*) FROM three_card_hands WHERE odd_rank IS NULL OR odd_rank >= 10") == 15_380


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As Ks Qs", "Kd Qd Jd"), ("4h 3h 2h", "Ac 2c 3c"), ("2c 3c Ac", "As Ad Ah"), ("2c 2d 2h", "Ad Ks Qc"), ("2c 3d 4h", "Ac 2d 3h"),
        ("Ac 2d 3h", "As Ks Js"), ("2c 3c 5c", "As Ad Kd"), ("3c 3d 2h", "2c 2d Ah"), ("Kc Kd 3h", "Ks Kh 2d"), ("Qc 3d 2h", "Jc Td 8h"),
        ("Ac Kd Jh", "Ac Kd Th"), ("Ac 9d 2h", "Ac 8d 7h"), ("2s 2d 3h", "Ac Kd 2h"), ("Kc 2d Ah", "Kd Qd 9h"),
    ],
)  # fmt: skip
def test_three_card_order(con: duckdb.DuckDBPyConnection, better: str, worse: str) -> None:
    def strengths(hand: str) -> tuple[int, int]:
        listed = ", ".join(f"'{card}'" for card in hand.split())
        found: tuple[int, int] = con.sql(
            f"SELECT strength, hand_strength([{listed}]) FROM three_card_hands WHERE cards_mask = ({MASK} ({listed}))"
        ).fetchall()[0]
        return found

    (better_table, better_macro), (worse_table, worse_macro) = strengths(better), strengths(worse)
    assert better_table > worse_table
    assert better_macro > worse_macro


def test_suits_never_rank(con: duckdb.DuckDBPyConnection) -> None:
    assert one(con, "SELECT hand_strength(['Ac', '9d', '2h']) = hand_strength(['Ah', '9s', '2c'])")


def test_mini_royals(con: duckdb.DuckDBPyConnection) -> None:
    assert con.sql("SELECT class_no, count(*) FROM three_card_hands WHERE class_no > 5 GROUP BY ALL ORDER BY ALL").fetchall() == [
        (6, 3),
        (7, 1),
    ]


def test_the_macros_say_the_same_of_all_three_card_hands() -> None:
    con = twin().con
    con.execute("CREATE OR REPLACE TEMP TABLE every_hand (cards VARCHAR[])")
    con.executemany("INSERT INTO every_hand VALUES (?)", [[list(hand)] for hand in combinations(DECK, 3)][::7])
    compared = con.sql(
        """
        WITH masks AS (
            SELECT cards, bit_or(card_bit) AS cards_mask
            FROM (SELECT cards, unnest(cards) AS card FROM every_hand) JOIN card_faces USING (card) GROUP BY cards
        )
        SELECT
            count(*), count(*) FILTER (hand_category(cards) = category),
            count(DISTINCT strength), count(DISTINCT hand_strength(cards)), count(DISTINCT (strength, hand_strength(cards)))
        FROM masks JOIN three_card_hands USING (cards_mask)
        """
    ).fetchall()[0]
    assert compared[0] == compared[1] == 3158
    assert compared[2] == compared[3] == compared[4]


def test_the_lookups_of_six_cards_hold_every_choice_of_ranks_and_of_one_suit(con: duckdb.DuckDBPyConnection) -> None:
    ranks = con.sql("SELECT category_no, count(*) FROM six_card_ranks GROUP BY ALL ORDER BY ALL").fetchall()
    assert ranks == [(0, 1645), (1, 6385), (2, 4576), (3, 2860), (4, 121), (6, 1794), (7, 1014)]
    assert one(con, "SELECT count(DISTINCT rank_key) FROM six_card_ranks") == sum(count for _, count in ranks)
    suited = con.sql("SELECT category_no, nine_to_ace, count(*) FROM suited_ranks GROUP BY ALL ORDER BY ALL").fetchall()
    assert suited == [(5, False, 2922), (8, False, 72), (9, False, 8), (9, True, 1)]
    assert con.sql("SELECT suit_no, count(DISTINCT suit_key) FROM flush_suits GROUP BY ALL ORDER BY ALL").fetchall() == [
        (suit, 4) for suit in range(4)
    ]


def test_the_lines_that_can_pay_a_class_stand_in_one_order(con: duckdb.DuckDBPyConnection) -> None:
    told = con.sql(
        """
        SELECT class_no, class.category, list(lines.line ORDER BY choice), list(choice ORDER BY choice)
        FROM hand_classes AS class LEFT JOIN class_lines AS lines USING (class_no) GROUP BY ALL ORDER BY ALL
        """
    ).fetchall()
    royal = ["six_card_royal", "royal_flush", "straight_flush"]
    through = {
        6: ["mini_royal", "straight_flush"], 7: ["mini_royal_spades", "mini_royal", "straight_flush"], 19: royal[1:],
        20: ["super_royal_other", *royal], 21: ["super_royal_diamonds", *royal],
    }  # fmt: skip
    three = ["high_card", "pair", "flush", "straight", "three_of_a_kind", *["straight_flush"] * 3]
    classes = [*enumerate(three), *enumerate([*FIVE_CARD_CATEGORIES, *["royal_flush"] * 2], 10)]
    lines = [(class_no, category, through.get(class_no, [category])) for class_no, category in classes]
    assert told == [(*line, [*range(1, len(line[2]) + 1)]) for line in lines]


def test_both_engines_know_the_same_coins(con: duckdb.DuckDBPyConnection) -> None:
    assert dict(con.sql("FROM minor_units").fetchall()) == {code: 10 ** (6 - digits) for code, digits in MINOR_DIGITS.items()}


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("Ts Js Qs Ks As 2d", "royal_flush"), ("9s Ts Js Qs Ks As", "royal_flush"), ("As 2s 3s 4s 5s Kd", "straight_flush"),
        ("2s 3s 4s 5s 6s 7d", "straight_flush"), ("2s 3s 4s 5s 6s 9s", "straight_flush"),
        ("7s 7d 7h 7c 2s 2d", "four_of_a_kind"), ("7s 7d 7h 2c 2s 2d", "full_house"),
        ("7s 7d 7h 2c 2s Kd", "full_house"), ("2s 4s 6s 8s Ts 3d", "flush"), ("2s 3s 4s 5s 7s 6d", "flush"),
        ("As 2d 3h 4c 5s 5d", "straight"), ("Ts Jd Qh Kc As 2d", "straight"), ("Js Qd Kh Ac 2s 3d", "high_card"),
        ("7s 7d 7h 2c 4s Kd", "three_of_a_kind"), ("7s 7d 2h 2c 4s 4d", "two_pair"), ("7s 7d 2h 3c 4s Kd", "pair"),
        ("2s 4d 6h 8c Ts Qd", "high_card"), ("As Ks Qs Js 9s Td", "flush"),
    ],
)  # fmt: skip
def test_best_five_of_six(con: duckdb.DuckDBPyConnection, cards: str, category: str) -> None:
    listed = ", ".join(f"'{card}'" for card in cards.split())
    assert one(con, f"SELECT best_five_of_six([{listed}])") == category
    assert FIVE_CARD_CATEGORIES[_looked_up(con, cards.split())] == category


def _looked_up(con: duckdb.DuckDBPyConnection, cards: list[str]) -> int:
    first, second = (", ".join(f"'{card}'" for card in half) for half in (cards[:3], cards[3:]))
    found = con.sql(f"{SIX_CARD_LOOKUP} AND a.cards_mask = ({MASK} ({first})) AND b.cards_mask = ({MASK} ({second}))").fetchall()
    assert isinstance(found[0][0], int)
    return found[0][0]


CATEGORY = "greatest(six_card_ranks.category_no, coalesce(suited_ranks.category_no, 0))"
SIX_CARD_LOOKUP = f"""
SELECT {CATEGORY} AS category_no
FROM three_card_hands AS a
CROSS JOIN three_card_hands AS b
JOIN six_card_ranks ON six_card_ranks.rank_key = a.rank_key + b.rank_key
LEFT JOIN flush_suits ON flush_suits.suit_key = a.suit_key + b.suit_key
LEFT JOIN suited_ranks ON suited_ranks.rank_mask = ((a.cards_mask | b.cards_mask) >> (13 * flush_suits.suit_no)) & 8191
WHERE a.cards_mask & b.cards_mask = 0
"""


@pytest.mark.parametrize(
    "cards", ["['Qs', 'Qs', '2h']", "['Qs', '??', '2h']", "['Qs', '2h']", "['10s', '2h', '3d']", "CAST(NULL AS VARCHAR[])"]
)
def test_the_macros_judge_no_hand_that_is_none(con: duckdb.DuckDBPyConnection, cards: str) -> None:
    assert con.sql(f"SELECT hand_category({cards}), hand_strength({cards}), best_five_of_six({cards})").fetchall() == [(None, None, None)]


@pytest.mark.exhaustive
def test_every_deal_wins_loses_and_ties_as_often() -> None:
    con = Twin(open_session()).con
    con.execute("CREATE TEMP TABLE h AS SELECT cards_mask, strength FROM three_card_hands")
    counts = con.sql(
        """
        SELECT count(*), count(*) FILTER (a.strength > b.strength), count(*) FILTER (a.strength < b.strength)
        FROM h AS a JOIN h AS b ON a.cards_mask & b.cards_mask = 0
        """
    ).fetchall()[0]
    assert counts[0] == 407_170_400
    assert counts[1] == counts[2]


@pytest.mark.exhaustive
def test_every_six_card_hand_is_counted_right() -> None:
    con = Twin(open_session()).con
    # Each six cards are split twenty ways into two hands; the one whose first hand holds the three lowest bits stands for them all.
    con.execute(
        """
        CREATE TEMP TABLE low_hands AS
        SELECT *, (SELECT max(card_bit) FROM card_faces WHERE card_bit & cards_mask <> 0) AS top FROM three_card_hands;
        CREATE TEMP TABLE high_hands AS
        SELECT *, (SELECT min(card_bit) FROM card_faces WHERE card_bit & cards_mask <> 0) AS bottom FROM three_card_hands
        """
    )
    counts = con.sql(
        f"""
        SELECT {CATEGORY} AS category_no, count(*)
        FROM low_hands AS a
        JOIN high_hands AS b ON a.top < b.bottom
        JOIN six_card_ranks ON six_card_ranks.rank_key = a.rank_key + b.rank_key
        LEFT JOIN flush_suits ON flush_suits.suit_key = a.suit_key + b.suit_key
        LEFT JOIN suited_ranks ON suited_ranks.rank_mask = ((a.cards_mask | b.cards_mask) >> (13 * flush_suits.suit_no)) & 8191
        GROUP BY ALL
        """
    ).fetchall()
    assert {FIVE_CARD_CATEGORIES[category_no]: count for category_no, count in counts} == SIX
