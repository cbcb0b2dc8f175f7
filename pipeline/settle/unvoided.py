"""What the wagers that a void took would have come to, had it not been called: a what-if, for the officer who reviews late voids."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import ENGINE, Chunk
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from pipeline.core.filed import Filed

_TOLD: Final = ("wager_key", "settlement", "expected", "expected_bonus")


def settle_unvoided(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Settle the rounds with a void as if they had none: a voided round as settled, a wager cancelled in it as accepted.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: all filings.

    Returns:
        ``wager_key, settlement, expected, expected_bonus`` of each current wager in a current round with a void (``schema.ENGINE``).
    """
    is_void = (pl.col("status") == "voided") | pl.col("has_void")
    voided = chunk.rounds.filter("is_current", is_void).select("round_key")
    if voided.is_empty():
        return ENGINE.empty().select(_TOLD)
    frames = {field.name: getattr(chunk, field.name) for field in fields(chunk)}
    within = {name: frame.join(voided, on="round_key", how="semi", maintain_order="left") for name, frame in frames.items()}
    no_list = pl.lit(None, dtype=pl.List(pl.String))
    within["rounds"] = within["rounds"].with_columns(
        pl.col("status").replace("voided", "settled"),
        pl.lit(value=False).alias("has_void"),
        *(no_list.alias(f"void_{named}") for named in ("hand_ids", "player_ids", "wager_ids")),
    )
    within["wagers"] = within["wagers"].with_columns(pl.col("status").replace("cancelled", "accepted"))
    return settle(Chunk(**within), filed).select(_TOLD)
