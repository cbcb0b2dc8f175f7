"""Corrections of card readings: which readings are replaced, and which chains of corrections are broken."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True, slots=True)
class Corrections:
    """What the ``replaces`` of a chunk's readings come to.

    Attributes:
        replaced: ``round_key, reading_no`` of the readings that another one replaces.
        broken: ``hand_key`` of the hands that a broken chain distrusts.
    """

    replaced: pl.DataFrame
    broken: pl.Series


def corrections_of(readings: pl.DataFrame) -> Corrections:
    """Follow each reading's ``replaces`` to the reading that it corrects.

    A chain is broken by a ``replaces`` that names a ``seq`` that no reading of the round has, a place (``to`` and ``position``) other than
    its own, a ``seq`` that another reading replaces too, or that leads into a cycle, as the reading itself does. Of several readings
    with one ``seq`` each is followed.

    Args:
        readings: current readings with ``round_key, hand_key, reading_no, seq, to, position, replaces``.
    """
    carriers = readings.filter(pl.col("replaces").is_not_null())
    targets = readings.join(carriers.select("round_key", seq="replaces").unique(), on=["round_key", "seq"], how="semi")
    pairs = carriers.join(
        targets, left_on=["round_key", "replaces"], right_on=["round_key", "seq"], how="left", suffix="_target"
    ).with_columns(
        elsewhere=pl.col("reading_no_target").is_not_null()
        & (pl.col("to").ne_missing(pl.col("to_target")) | pl.col("position").ne_missing(pl.col("position_target")))
    )
    rivals = pl.col("reading_no").n_unique().over("round_key", "replaces") > 1
    endless = (
        pairs.select("round_key", "seq").join(_leading_into_cycles(carriers), on=["round_key", "seq"], how="left").get_column("endless")
    )
    bad = pairs.filter(pl.col("reading_no_target").is_null() | pl.col("elsewhere") | rivals | endless.fill_null(value=False))
    return Corrections(
        replaced=pairs.filter(pl.col("reading_no") != pl.col("reading_no_target"))
        .select("round_key", reading_no="reading_no_target")
        .unique(),
        broken=pl.concat([bad["hand_key"], bad.filter("elsewhere")["hand_key_target"]]).drop_nulls().unique(),
    )


def _leading_into_cycles(carriers: pl.DataFrame) -> pl.DataFrame:
    """``round_key, seq, endless`` for those that, followed long enough, never end; each step doubles the length followed."""
    step = carriers.filter(pl.col("seq").is_not_null()).select("round_key", "seq", after="replaces").unique()
    followed, longest = 1, step.height
    while followed <= longest and not step.is_empty():
        step = (
            step.join(step, left_on=["round_key", "after"], right_on=["round_key", "seq"])
            .select("round_key", "seq", after="after_right")
            .unique()
        )
        followed *= 2
    return step.select("round_key", "seq", endless=True).unique()
