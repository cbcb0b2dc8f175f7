"""The exact figures of what is filed, for the lake: what each wager keeps on average, and how many dealt hands make each line."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.filed import FILED_CHANCES, FILED_EDGES
from pipeline.core.theory import Expected, Theory
from pipeline.filings.deals import HANDS, SIX_CARD_HANDS
from pipeline.filings.edge import edge_of, hands_by_line
from pipeline.filings.figures import percent

if TYPE_CHECKING:
    from pipeline.core.schema import Table
    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing


def theory(filings: Filings) -> Theory:
    """Every wager kind of every filing."""
    return {(filing.fingerprint, kind): expected for filing in filings.submissions for kind, expected in _expected(filing)}


def theory_frames(filings: Filings) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``filed.FILED_EDGES`` and ``filed.FILED_CHANCES``."""
    edges: list[tuple[object, ...]] = [
        (number, kind, str(expected.edge), percent(expected.edge, 6))
        for number, filing in enumerate(filings.submissions)
        for kind, expected in _expected(filing)
    ]
    chances: list[tuple[object, ...]] = [
        (number, wager.kind, line, ways, HANDS if wager.judged_on == "player_three" else SIX_CARD_HANDS)
        for number, filing in enumerate(filings.submissions)
        for wager in filing.wagers
        if wager.judged_on != "showdown"
        for line, ways in hands_by_line(wager).items()
    ]
    return _frame(edges, FILED_EDGES), _frame(chances, FILED_CHANCES)


def _frame(rows: list[tuple[object, ...]], table: Table) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=table.schema.names(), orient="row").cast(table.schema)


@cache
def _expected(filing: Filing) -> tuple[tuple[str, Expected], ...]:
    """The main game is told as ante (with its bonus) and play, each of its own stake; together they are what ``edge_of`` says of both."""
    figures = edge_of(filing)
    strategy = figures.strategy
    told = []
    for wager in figures.wagers:
        flat: dict[str, Fraction] = {}
        for award in wager.awards:
            if award.flat is not None and award.currency is not None:
                flat[award.currency] = flat.get(award.currency, Fraction(0)) + award.share * Fraction(award.flat)
        of_ante = strategy.play_result if wager.kind == "ante" else Fraction(0)
        told.append((wager.kind, Expected(wager.house_edge + of_ante, flat)))
    play = -strategy.play_result / strategy.played if strategy.played else Fraction(0)
    return (*told, ("play", Expected(play)))
