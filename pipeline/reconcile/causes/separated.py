"""Which kind of hand tells two causes apart, worked out from their definitions.

Every way of every hypothesis is tried on the specimens. Two causes are told apart by a specimen on which what the one hands back is
never what the other does. What stands on another input (another seat's cards, another wager's stake) has no hand of its own: it is told
apart where that input would settle otherwise and the other cause would not.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from pipeline.filings.load import load_filings
from pipeline.reconcile.causes import HYPOTHESES
from pipeline.reconcile.causes.cases import cases_of, order_of_rounds
from pipeline.reconcile.causes.reproduce import WAYS, tried
from pipeline.reconcile.causes.specimens import MAIN, SIDE, SPECIMENS, specimen_chunk
from pipeline.reconcile.payouts import settlements
from pipeline.settle.terms import terms_of
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.reconcile.causes.specimens import Specimen

_INPUTS: Final = {hypothesis.name: hypothesis.input for hypothesis in HYPOTHESES if hypothesis.input}
_WAYS: Final = {
    hypothesis.name: [place for place, way in enumerate(WAYS) if way.cause_no == number and way.is_usual]
    for number, hypothesis in enumerate(HYPOTHESES)
}
_RIGHT: Final = "what is due"


class _Wager(NamedTuple):
    """A specimen's wager: what is due, and what each way that changes it hands back, in millionths."""

    due: int
    paid: dict[int, set[int]]

    def handed_back(self, cause: str) -> list[set[int]]:
        """What each usual way of a cause hands back; where it changes nothing, what is due."""
        return [{self.due}] if cause == _RIGHT else [self.paid.get(way, {self.due}) for way in _WAYS[cause]]


def shows_on(cause: str) -> tuple[str, ...]:
    """The kinds of hand on which a cause pays otherwise than the right rule, in words; first where most of its ways do."""
    if cause in _INPUTS:
        return (f"{_INPUTS[cause]} would settle the wager otherwise",)
    return tuple(specimen.words for specimen in _separating(cause, _RIGHT))


def separated_by(one: str, other: str, kind: str | None = None) -> tuple[str, ...]:
    """The kinds of hand on which two causes hand back differently, in words; first where most of their ways do.

    Args:
        one: a root cause.
        other: another.
        kind: the wager kind at hand (``main`` for ante and play); such hands come before all others.
    """
    inputs = [_INPUTS[name] for name in (one, other) if name in _INPUTS]
    if len(inputs) > 1:
        return (f"{inputs[0]} and {inputs[1]} would settle the wager differently",)
    if inputs:
        return (f"{inputs[0]} would settle the wager otherwise and {other if one in _INPUTS else one} would not",)
    part = MAIN if kind in {MAIN, "ante", "play"} else SIDE
    found = _separating(one, other)
    return tuple(each.words for each in sorted(found, key=lambda specimen: kind is not None and specimen.part != part))


def told_apart(cause: str, others: Iterable[str], kind: str | None = None) -> str:
    """What would tell a cause from others that fit as well: the kind of hand for each of them, in one sentence."""
    hands: dict[str, list[str]] = {}
    for other in others:
        for words in separated_by(cause, other, kind)[:1]:
            hands.setdefault(words, []).append(other)
    told = (f"a hand where {words} ({', '.join(names)})" for words, names in hands.items())
    return f"They would differ on: {'; '.join(told)}." if hands else ""


def _separating(one: str, other: str) -> list[Specimen]:
    """The specimens that tell two causes apart, those first that do so in the most of the ways in which the rules may be broken."""
    worth = [max((_worth(wager, one, other) for wager in wagers), default=0) for wagers in _shown()]
    return [SPECIMENS[place] for place in sorted(range(len(SPECIMENS)), key=lambda place: -worth[place]) if worth[place]]


def _worth(wager: _Wager, one: str, other: str) -> int:
    """In how many of the pairs of their ways two causes hand back differently on a wager."""
    theirs = wager.handed_back(other)
    return sum(mine.isdisjoint(each) for mine in wager.handed_back(one) for each in theirs)


@cache
def on_specimens() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The specimens' wagers as cases, and what every way hands back on them (``reproduce.TRIED``)."""
    with as_file(files("pipeline.reconcile.causes").joinpath("specimens.toml")) as path:
        filed = load_filings(path).filed
    chunk, terms = specimen_chunk(), terms_of(filed)
    settled = settlements(chunk, settle(chunk, filed), filed).filter(pl.col("settlement").is_in(["settled", "voided"]))
    cases, facts = cases_of(chunk, settled, order_of_rounds(chunk.rounds).clear(), chunk, filed, terms)
    return cases, tried(cases, facts, range(len(WAYS)), hits_only=False)


@cache
def _shown() -> tuple[tuple[_Wager, ...], ...]:
    """What every way hands back on the wagers of each specimen."""
    cases, found = on_specimens()
    wagers = {
        number: (round_key, _Wager(due, {}))
        for number, round_key, kind, due in cases.select("case_no", "round_key", "kind", "due").iter_rows()
        if (SPECIMENS[round_key].kind == kind) or (SPECIMENS[round_key].kind == MAIN and kind in {"ante", "play"})
    }
    for number, way, amount in found.select("case_no", "way_no", "amount").iter_rows():
        if number in wagers:
            wagers[number][1].paid.setdefault(way, set()).add(amount)
    return tuple(tuple(wager for key, wager in wagers.values() if key == place) for place in range(len(SPECIMENS)))
