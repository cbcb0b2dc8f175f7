"""The exact house edge in words, as ``resettle edge`` prints it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from pipeline.filings.edge import edge
from pipeline.filings.figures import percent
from pipeline.filings.words import line_in_words, wager_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.filings.figures import Award, FilingEdge, LineEdge, Strategy, WagerEdge
    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing

_FLAT_MINIMUM = Decimal(1)


def edge_text(filings: Filings) -> str:
    """The figures of every filing as plain text: percentages to four places, and the exact fractions beside them."""
    pairs = zip(filings.submissions, edge(filings), strict=True)
    return "\n\n".join("\n".join(_lines(filing, figures)) for filing, figures in pairs) + "\n"


def _lines(filing: Filing, figures: FilingEdge) -> Iterator[str]:
    yield f"Filing {figures.filing_id}, revision {figures.revision}: the exact cost of each wager, over every deal"
    yield f"  The dealer qualifies with {percent(figures.dealer_qualifies)} % of hands ({figures.dealer_qualifies})."
    yield from _strategy_lines(figures.strategy)
    for wager in figures.wagers:
        yield ""
        yield from _wager_lines(filing, wager)


def _strategy_lines(strategy: Strategy) -> Iterator[str]:
    if strategy.threshold is None:
        yield "  Optimal play: fold every hand."
        return
    hand = "-".join(strategy.threshold).replace("T", "10")
    rule = "play every hand" if strategy.value_below is None else f"play {hand} or better, fold the rest"
    yield f"  Optimal play: {rule}; {percent(strategy.played)} % of hands are played ({strategy.played})."
    if strategy.value_at_threshold is not None and strategy.value_below is not None:
        yield (
            f"  Playing {hand} is worth {percent(strategy.value_at_threshold)} % of the ante, the next hand below it "
            f"{percent(strategy.value_below)} %; folding is worth -100 %."
        )
    if strategy.exceptions:
        yield f"  {strategy.exceptions} weaker hands are played as well, because of their suits."


def _wager_lines(filing: Filing, wager: WagerEdge) -> Iterator[str]:
    main = wager.kind == "ante"
    name = "Ante and Play, with the ante bonus" if main else wager_in_words(wager.kind)
    yield f"  {name}"
    yield f"    house edge           {percent(wager.house_edge):>10} % of the {'ante' if main else 'stake'} ({wager.house_edge})"
    yield f"    element of risk      {percent(wager.element_of_risk):>10} % of all that is staked ({wager.element_of_risk})"
    yield f"    hit frequency        {percent(wager.hit_frequency):>10} % ({wager.hit_frequency})"
    yield f"    standard deviation   {wager.standard_deviation:>10.4f} {'antes' if main else 'stakes'}"
    paying: tuple[LineEdge | Award, ...] = (*wager.lines, *wager.awards)
    rows = [(line_in_words(each.line), each.odds, each.share) for each in paying]
    width = max((len(line) for line, _, _ in rows), default=0)
    for line, odds, share in rows:
        yield f"    {line:<{width}}  {odds:<20} {percent(share, 6):>11} % ({share})"
    yield from _award_lines(filing, wager)
    filed = filing.wager(wager.kind)
    if filed is not None and not main and filed.forfeited_by_fold:
        note = "no hand that optimal play folds wins it" if wager.folds_cost is False else "what folded hands would win is not taken off"
        yield f"    A fold forfeits it; the figures are of the wager by itself ({note})."


def _award_lines(filing: Filing, wager: WagerEdge) -> Iterator[str]:
    if not wager.awards:
        return
    yield "    The house edge above counts nothing for flat and meter awards."
    flats = [award for award in wager.awards if award.flat is not None]
    for currency in sorted({award.currency or "" for award in flats}):
        worth = sum((award.share * Fraction(_amount(award)) for award in flats if award.currency == currency), Fraction(0))
        yield f"    Flat awards in {currency} are worth {percent(worth / 100, 6)} {currency} a wager; they take off"
        for stake in _stakes(filing, wager.kind, currency):
            off = worth / Fraction(stake)
            yield f"      {percent(off)} % at a stake of {stake} {currency}: {percent(wager.house_edge - off)} % is left"
    if wager.break_even_meter is not None:
        yield f"    The meter breaks even at {percent(wager.break_even_meter / 100, 2)} times the stake ({wager.break_even_meter})."


def _amount(award: Award) -> Decimal:
    return award.flat or Decimal(0)


def _stakes(filing: Filing, kind: str, currency: str) -> list[Decimal]:
    limits = [limit for limit in filing.limits if limit.kind == kind and limit.currency == currency]
    filed = {bound for limit in limits for bound in (limit.lowest, limit.highest) if bound}
    return sorted(filed) or [_FLAT_MINIMUM]
