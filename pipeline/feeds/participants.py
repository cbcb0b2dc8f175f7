"""Who took part: a participant is (studio, round, operator, player, session or '', hand), however many entries the log gives them."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.feeds.staged import TELLING

_SAME: Final = (pl.col(TELLING), pl.col("operator_id"), pl.col("player_id"), pl.col("session_id").fill_null(""), pl.col("hand_id"))


def numbered(entries: pl.DataFrame) -> pl.DataFrame:
    """Adds ``participant_no``, from 0 in each round, in the order in which the log first names them.

    Entries without a ``player_id`` stay apart: nothing says that they are one.
    """
    again = entries.select(pl.struct(*_SAME).is_duplicated() & pl.col("player_id").is_not_null()).to_series()
    if not again.any():
        return entries.with_columns(participant_no=pl.int_range(pl.len(), dtype=pl.Int32).over(TELLING))
    first = pl.when(again).then(pl.col("entry").first().over(_SAME)).otherwise("entry")
    return entries.with_columns(first=first).with_columns(
        participant_no=(pl.col("first").rank("dense").over(TELLING) - 1).cast(pl.Int32)
    ).drop("first")  # fmt: skip


def merged(entries: pl.DataFrame) -> pl.DataFrame:
    """A row a participant: of several entries, what the first that says it says."""
    entries = entries.drop("entry", "wagers")
    key = [TELLING, "participant_no"]
    if not entries.select(key).is_duplicated().any():
        return entries
    return entries.group_by(key, maintain_order=True).agg(pl.all().drop_nulls().first()).select(entries.columns)
