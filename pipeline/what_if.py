"""What another filing would have made due: a lake's past day settled again, under other terms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import FilingError, LakeError
from pipeline.filings.load import Filings, assemble
from pipeline.lake.earlier import Published, published_chunks
from pipeline.lake.layout import checked_root
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from pipeline.filings.submission import Filing

MONEY_EFFECT: Final = ("kind", "currency", "wagers", "changed", "due", "due_under_other", "difference")


def only_filing(filings: Filings, where: str) -> Filing:
    """The one filing that was read.

    Raises:
        FilingError: there are several.
    """
    if len(filings.submissions) != 1:
        raise FilingError(f"{len(filings.submissions)} filings are here", where, "name one filing's file")
    return filings.submissions[0]


def money_effect(lake: Path, one: Filing, other: Filing, gaming_day: date) -> pl.DataFrame:
    """Settle what one filing governed on a day under it and under another, in the other's terms but at the one's tables and dates.

    Args:
        lake: the lake that holds the day.
        one: the filing to settle under first; it need not be the one that was in force.
        other: the filing to hold beside it.
        gaming_day: the day.

    Returns:
        Per kind and currency of real-money wagers due under both: ``kind, currency, wagers, changed, due, due_under_other, difference``,
        bonus included, in major units.

    Raises:
        LakeError: the lake has not this day of the filing's studio.
    """
    shown = Published(checked_root(lake))
    governing = replace(one, effective_from=gaming_day, effective_to=gaming_day)
    instead = replace(
        other,
        **{name: getattr(governing, name) for name in ("studio_id", "tables", "operators", "effective_from", "effective_to", "gaming_day")},
    )
    before, after = assemble([governing]).filed, assemble([instead]).filed
    found = []
    for chunk in published_chunks(shown, one.studio_id, gaming_day):
        wagers = chunk.wagers.filter("is_current").select("wager_key", "kind", "currency", "play_mode")
        dues = [_due(settle(chunk, filed), name) for filed, name in ((before, "due"), (after, "due_under_other"))]
        found.append(
            pl.concat([wagers, *dues], how="horizontal").filter(pl.col("play_mode") == "real").drop_nulls(["due", "due_under_other"])
        )
    if not found:
        raise LakeError(f"has no {gaming_day} of studio {one.studio_id}", str(lake), "name a day that was audited")
    return (
        pl.concat(found)
        .group_by("kind", "currency")
        .agg(
            wagers=pl.len(),
            changed=(pl.col("due") != pl.col("due_under_other")).sum(),
            due=pl.col("due").sum(),
            due_under_other=pl.col("due_under_other").sum(),
        )
        .with_columns(difference=pl.col("due_under_other") - pl.col("due"))
        .select(MONEY_EFFECT)
        .sort("kind", "currency")
    )


def _due(engine: pl.DataFrame, name: str) -> pl.DataFrame:
    """What is due in all, of the wagers that the filing governs; a void needs no filing."""
    due = pl.col("expected") + pl.col("expected_bonus").fill_null(0)
    return engine.select(pl.when(pl.col("filing_no").is_not_null()).then(due).alias(name))
