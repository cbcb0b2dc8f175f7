"""Frames of an earlier delivery's partition, brought back into the shape in which they were staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.feeds.staged import TELLING, StagedFrames, Standing, round_hash, slot_hour

if TYPE_CHECKING:
    from pipeline.core.schema import Chunk


def unkeyed(chunk: Chunk, first: int) -> tuple[StagedFrames, Standing]:
    """The staged frames of published rounds, and what stood of them.

    Args:
        chunk: whole rounds of one studio and gaming day.
        first: number of the first telling.
    """
    rounds = chunk.rounds.sort("round_key").with_columns((pl.int_range(pl.len(), dtype=pl.Int64) + first).alias(TELLING))
    numbers = (
        rounds.select("round_key", TELLING)
        .join(chunk.hands.group_by("round_key").agg(hand_start=pl.col("hand_key").min()), on="round_key", how="left")
        .join(chunk.participants.group_by("round_key").agg(person_start=pl.col("participant_key").min()), on="round_key", how="left")
        .join(chunk.wagers.group_by("round_key").agg(n_wagers=pl.len().cast(pl.Int64)), on="round_key", how="left")
        .with_columns(pl.col("n_wagers").fill_null(0))
    )
    hand_no = (pl.col("hand_key") - pl.col("hand_start")).cast(pl.Int32).alias("hand_no")
    participant_no = (pl.col("participant_key") - pl.col("person_start")).cast(pl.Int32).alias("participant_no")

    def of(frame: pl.DataFrame, *columns: pl.Expr) -> pl.DataFrame:
        return (
            frame.join(numbers, on="round_key", how="inner", maintain_order="left").sort(TELLING, maintain_order=True).with_columns(columns)
        )

    def counted(name: str) -> pl.Expr:
        return pl.int_range(pl.len(), dtype=pl.Int32).over(TELLING).alias(name)

    wagers = of(chunk.wagers.sort("wager_key"), hand_no, participant_no, counted("wager_no"))
    frames = StagedFrames(
        # Their text is gone: a hash that only another telling's number could give, and no two of these are alike.
        rounds=of(
            rounds.drop(TELLING), slot_hour(), round_hash(), *(pl.col(TELLING).cast(pl.UInt64).alias(f"text_hash{n}") for n in ("", "_2"))
        ),
        hands=of(chunk.hands.sort("hand_key"), hand_no),
        card_readings=of(chunk.card_readings.sort("round_key", "reading_no"), hand_no),
        participants=of(chunk.participants.sort("participant_key"), hand_no, participant_no),
        wagers=wagers,
        displayed=of(chunk.displayed, counted("display_no")),
        meters=of(chunk.meters.sort("round_key", "meter_no")),
    )
    placed = rounds.select(TELLING, pl.col("round_key").alias("nth"), "is_current", "conflicting")
    fallen = placed.filter(~pl.col("is_current")).select(TELLING)
    kept = wagers.filter("is_current").join(fallen, on=TELLING, how="semi").select(TELLING, "wager_no")
    return frames, Standing(placed=placed, kept=kept)
