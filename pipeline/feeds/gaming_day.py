"""The gaming day of a round: the local date after subtracting the hour at which the filed day starts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.core.times import GamingDay


def gaming_days(rounds: pl.DataFrame, filed: Mapping[str, GamingDay]) -> pl.Series:
    """The gaming day of each round; the UTC date where the studio has filed none.

    Args:
        rounds: with ``studio_id`` and ``dated_at`` (UTC).
        filed: studio to the start of its gaming day.

    The hour is subtracted on the wall clock, so that a day on which the clocks change starts at the same local hour as any other.
    """
    day = pl.col("dated_at").dt.date()
    for studio in rounds["studio_id"].unique().sort():
        if studio in filed:
            start = timedelta(minutes=filed[studio].starts_at_minutes)
            local = pl.col("dated_at").dt.convert_time_zone(filed[studio].timezone).dt.replace_time_zone(None)
            day = pl.when(pl.col("studio_id") == studio).then((local - start).dt.date()).otherwise(day)
    return rounds.select(day.alias("gaming_day")).to_series()
