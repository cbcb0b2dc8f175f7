"""Every hypothesis tried on the cases: what each would hand back, and whether that is what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import polars as pl

from pipeline.reconcile.causes import HYPOTHESES
from pipeline.reconcile.causes.payment import settled_again

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.reconcile.causes.hypothesis import Facts, Way

TRIED: Final = {
    "case_no": pl.UInt32, "way_no": pl.UInt16, "rule": pl.String, "detail": pl.String, "is_hit": pl.Boolean, "amount": pl.Int128,
}  # fmt: skip


AT_ONCE: Final = 50_000
"""Cases tried together, for memory's sake."""

SPREAD_AT_ONCE: Final = 5_000
"""The same where a way makes several rows of each, up to some dozens."""


class NamedWay(NamedTuple):
    """A way with the number of its hypothesis, and whether it is how that mostly shows: the first, or one whose detail names a rule."""

    cause_no: int
    way: Way
    is_usual: bool


WAYS: Final = tuple(
    NamedWay(number, way, place == 0 or way.by_detail)
    for number, hypothesis in enumerate(HYPOTHESES)
    for place, way in enumerate(hypothesis.ways)
)
"""Every way of every hypothesis; ``way_no`` is its place here."""


def tried(cases: pl.DataFrame, facts: Facts, ways: Iterable[int], *, hits_only: bool) -> pl.DataFrame:
    """Try ways on cases.

    Args:
        cases: see ``cases.cases_of``.
        facts: what stands beside them.
        ways: which of ``WAYS``.
        hits_only: leave out the cases on which a way differs from the right rule and from what was paid.

    Returns:
        ``TRIED``: a row for each way, ``rule`` and case on which the way hands back otherwise than the right rule does, before and
        after the aggregate limit; ``rule`` tells apart what a way can mean (a threshold, a price, a filing), and is '' where that is
        the wager's own (a stake, a round); ``is_hit``: it hands back what was paid, to the last digit; ``amount``: what it hands back,
        in millionths.
    """
    touched = cases.lazy().select(WAYS[number].way.touches.fill_null(value=False).alias(str(number)) for number in ways)
    concerned = touched.collect(engine="in-memory")
    found = [
        _tried(some, facts, int(mask.name), hits_only=hits_only)
        for mask in concerned.iter_columns()
        if mask.any()
        for some in cases.filter(mask).iter_slices(AT_ONCE if WAYS[int(mask.name)].way.spread is None else SPREAD_AT_ONCE)
    ]
    return pl.concat([pl.DataFrame(schema=TRIED), *found])


def _tried(cases: pl.DataFrame, facts: Facts, number: int, *, hits_only: bool) -> pl.DataFrame:
    way = WAYS[number].way
    spread = way.spread(cases, facts) if way.spread else cases
    if way.detail is not None:
        spread = spread.with_columns(detail=way.detail)
    elif "detail" not in spread.columns:
        spread = spread.with_columns(detail=pl.lit(None, pl.String))
    rule = pl.lit("") if not way.by_detail else pl.col("rule" if "rule" in spread.columns else "detail").fill_null("")
    # The limit's own hypothesis pulls no lever: the right rule before the limit is then what it says.
    differs = pl.col("amount") != pl.col("due")
    if way.levers or way.spread:
        differs &= pl.col("amount") != pl.col("plain")
    is_hit = pl.col("amount") == pl.col("paid")
    found = (
        settled_again(spread, facts.terms, way.levers)
        .filter(differs.fill_null(value=False) & (is_hit if hits_only else pl.lit(value=True)))
        .select("case_no", way_no=pl.lit(number, pl.UInt16), rule=rule, detail="detail", is_hit=is_hit, amount="amount")
        .collect(engine="in-memory")
    )
    if way.spread is None:
        return found
    # Of several inputs under which one rule hands this back, the first is named.
    return found.sort("is_hit", descending=True, maintain_order=True).unique(["case_no", "rule"], keep="first", maintain_order=True)
