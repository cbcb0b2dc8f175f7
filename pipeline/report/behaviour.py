"""Is the game behaving: lines, the dealer's hand and the cards against what the deck makes exactly likely.

What is tested was dealt, not staked: each hand is one observation however many wagers stand on it, and it counts before anybody decided,
so that good hands are not those that were played on. The dealer's hand, which is turned only where somebody played, is judged by what
the players' cards leave of the deck. All tests of a report are corrected together.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.cards import DECK, RANKS, SUITS
from pipeline.filings.deals import SIX_CARD_COUNTS, three_card_counts
from pipeline.filings.edge import FALLS_TO
from pipeline.lake.scan import sql_text
from pipeline.report.behaviour_parts import Behaviour, CardCount, CardTest, LineTest, QualifyingTest, Takings, Test
from pipeline.report.chance import binomial, chi_square, holm, normal
from pipeline.report.dealer_share import qualifying_chance
from pipeline.settle.hands import HIGH_CARD, THREE_CARD_CLASSES, all_three_card_hands
from pipeline.settle.six_cards import SIX_CARD_CLASSES, six_card_classes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import duckdb

LEAST_ROUNDS: Final = 100
"""Rounds below which the dealer's qualifying share is not tested, since its distribution is not yet normal."""
LEAST_OF_A_CARD: Final = 5
"""How often each card must be expected before the cards are tested, as for every chi-square."""


def behaviour(con: duckdb.DuckDBPyConnection) -> Behaviour:
    """What the game did on the nights of a connection, as ``opening.open_run`` makes it; temporary tables are left in it."""
    for statement in sql_text("report", "dealt_hands.sql").split(";\n"):
        con.execute(statement)
    lines = _lines(con)
    qualifying, too_few = _qualifying(con)
    cards, counts, too_few_cards = _cards(con)
    tests: list[Test] = [*lines, *qualifying, *cards]
    adjusted = iter(holm([test.probability for test in tests]))
    return Behaviour(
        lines=tuple(replace(test, adjusted=next(adjusted)) for test in lines),
        qualifying=tuple(replace(test, adjusted=next(adjusted)) for test in qualifying),
        cards=tuple(replace(test, adjusted=next(adjusted)) for test in cards),
        card_counts=tuple(counts),
        takings=tuple(Takings(*row) for row in con.execute(sql_text("report", "takings.sql")).fetchall()),
        untested=(*too_few, *too_few_cards),
    )


def _lines(con: duckdb.DuckDBPyConnection) -> list[LineTest]:
    """A test a studio, kind, line and what the line pays, over all filings that pay the same on it."""
    told = con.sql(sql_text("report", "line_hands.sql")).pl()
    odds = {tuple(row[:3]): row[3] for row in con.execute(sql_text("report", "line_prices.sql")).fetchall()}
    counted: dict[tuple[str, str, str, tuple[str, ...], int], list[Counter[str]]] = {}
    for (studio_id, kind, is_six, paytables), hands in told.group_by("studio_id", "kind", "is_six", "paytables", maintain_order=True):
        classes = SIX_CARD_CLASSES if is_six else THREE_CARD_CLASSES
        seen = Counter(dict(_by_class(hands, classes, is_six=bool(is_six))))
        for line, names in sorted({pays for lines in paytables for pays in _pays(classes, lines)}):
            counted.setdefault((str(studio_id), str(kind), line, names, bool(is_six)), []).append(seen)
    tests = []
    for (studio_id, kind, line, names, is_six), groups in counted.items():
        counts = SIX_CARD_COUNTS if is_six else three_card_counts()
        hands, hits = sum(seen.total() for seen in groups), sum(seen[name] for seen in groups for name in names)
        chance = Fraction(sum(counts[name] for name in names), sum(counts.values()))
        price = odds.get((studio_id, kind, line))
        tests.append(LineTest(studio_id, kind, line, price, hands, hits, chance, binomial(hits, hands, float(chance)), 1.0))
    return sorted(tests, key=lambda test: (test.studio_id, test.kind != "ante_bonus", test.kind, test.chance))


def _pays(classes: Sequence[str], lines: Sequence[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Each line of a paytable with the classes of hands that it pays."""
    paid = {name: _paid_by(name, lines) for name in classes}
    return ((line, tuple(name for name, pays in paid.items() if pays == line)) for line in lines if line in paid.values())


def _by_class(hands: pl.DataFrame, classes: Sequence[str], *, is_six: bool) -> Iterable[tuple[str, int]]:
    if is_six:
        numbered = hands.select("hands", number=six_card_classes(hands["cards"]))
    else:
        numbered = hands.join(all_three_card_hands().select(cards="bits", number="three_class"), on="cards").select("hands", "number")
    counted = numbered.group_by("number").agg(pl.col("hands").sum())
    return ((classes[number], count) for number, count in counted.iter_rows())


def _paid_by(name: str | None, lines: Sequence[str]) -> str | None:
    """The filed line that pays a class of hands, the most specific; None where none does."""
    while name is not None and name not in lines:
        name = FALLS_TO.get(name)
    return name


def _qualifying(con: duckdb.DuckDBPyConnection) -> tuple[list[QualifyingTest], list[str]]:
    turned = con.sql(sql_text("report", "dealer_hands.sql")).pl()
    tests, too_few = [], []
    for (studio, rank), rounds in sorted(turned.group_by("studio_id", "qualifier"), key=lambda group: str(group[0])):
        studio_id, qualifier = str(studio), str(rank)
        hands = all_three_card_hands().select(
            dealer_cards="bits", qualifies=(pl.col("three_class") > HIGH_CARD) | (pl.col("high") // 4 >= RANKS.index(qualifier))
        )
        times, chance = pl.col("rounds"), pl.col("chance")
        (row,) = (
            rounds.join(hands, on="dealer_cards")
            .with_columns(chance=qualifying_chance(pl.col("player_cards"), qualifier))
            .select(
                times.sum(),
                seen=times.filter(pl.col("qualifies")).sum(),
                expected=(times * chance).sum(),
                variance=(times * chance * (1 - chance)).sum(),
            )
            .iter_rows(named=True)
        )
        if row["rounds"] < LEAST_ROUNDS:
            too_few.append(f"the dealer's qualifying share: {row['rounds']} rounds, fewer than {LEAST_ROUNDS}")
            continue
        deviation = (row["seen"] - row["expected"]) / sqrt(row["variance"])
        told = (studio_id, qualifier, row["rounds"], row["seen"], row["expected"], deviation)
        tests.append(QualifyingTest(*told, normal(deviation), 1.0))
    return tests, too_few


def _cards(con: duckdb.DuckDBPyConnection) -> tuple[list[CardTest], list[CardCount], list[str]]:
    told = con.sql(sql_text("report", "card_counts.sql")).pl()
    places = [
        told.select("studio_id", "is_dealer", "card", table_id=pl.lit(None, pl.String), place=pl.lit(place),
                    **{name: pl.col(f"{name}_at") if name != "seen" else pl.col("seen_at").list.get(place - 1)
                       for name in ("seen", "expected", "spread")})
        for place in (1, 2, 3)
    ]  # fmt: skip
    columns = ["studio_id", "table_id", "is_dealer", "place", "card", "seen", "expected", "spread"]
    each = pl.concat([told.with_columns(place=pl.lit(None, pl.Int32)).select(columns), *(frame.select(columns) for frame in places)])
    drawn = each.group_by("studio_id", "table_id", "is_dealer", "place", "card").agg(pl.col("seen", "expected", "spread").sum())
    tested = (
        drawn.group_by("studio_id", "table_id", "is_dealer", "place")
        .agg(
            cards=pl.col("seen").sum(),
            least=pl.col("expected").min(),
            statistic=((pl.col("seen") - pl.col("expected")) ** 2 / pl.col("spread")).sum(),
        )
        .sort("studio_id", "table_id", "is_dealer", "place", nulls_last=True)
    )
    enough = tested.filter(pl.col("least") >= LEAST_OF_A_CARD).drop("least")
    tests = [CardTest(**row, probability=chi_square(row["statistic"], len(DECK) - 1), adjusted=1.0) for row in enough.iter_rows(named=True)]
    few = tested.height - enough.height
    return tests, _card_counts(told), [f"{few} of {tested.height} tests of the cards: too few rounds"] if few else []


def _card_counts(told: pl.DataFrame) -> list[CardCount]:
    summed = (
        told.filter(~pl.col("is_dealer"))
        .group_by("studio_id", "card")
        .agg(pl.col("seen", "expected", "spread").sum())
        .filter(pl.col("expected") >= LEAST_OF_A_CARD)
        .sort("studio_id", "card")
    )
    return [
        CardCount(studio_id, RANKS[card % 13] + SUITS[card // 13], seen, expected, (seen - expected) / sqrt(spread))
        for studio_id, card, seen, expected, spread in summed.iter_rows()
    ]
