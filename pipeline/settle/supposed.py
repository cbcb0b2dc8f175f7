"""What wagers would have come to, had something in their round been otherwise: what-ifs, for the officer who reviews the round.

- Had a void not been called (``settle_unvoided``).
- By the first and by the last reading of the cards that were corrected late (``settle_reread``).

Only the rounds concerned are settled again.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import DUE, ENGINE, Chunk, PolarsType
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from pipeline.core.filed import Filed

_TOLD: Final = ("wager_key", "settlement", "expected", "expected_bonus")
_REREAD: Final[dict[str, PolarsType]] = {"wager_key": pl.Int64, "first_due": DUE, "last_due": DUE}
_PLACE: Final = ("hand_key", "position")


def settle_unvoided(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Settle the rounds with a void as if they had none: a voided round as settled, a wager cancelled in it as accepted.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: all filings.

    Returns:
        ``wager_key, settlement, expected, expected_bonus`` of each current wager in a current round with a void (``schema.ENGINE``).
    """
    is_void = (pl.col("status") == "voided") | pl.col("has_void")
    voided = chunk.rounds.filter(is_void).select("round_key")
    if voided.is_empty():
        return ENGINE.empty().select(_TOLD)
    within = _only(chunk, voided)
    no_list = pl.lit(None, dtype=pl.List(pl.String))
    rounds = within.rounds.with_columns(
        pl.col("status").replace("voided", "settled"),
        *(no_list.alias(f"void_{named}") for named in ("hand_ids", "player_ids", "wager_ids")),
    )
    wagers = within.wagers.with_columns(pl.col("status").replace("cancelled", "accepted"))
    return settle(replace(within, rounds=rounds, wagers=wagers), filed).select(_TOLD)


def settle_reread(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Settle the rounds in which a card was corrected late by the first and by the last reading of that card.

    Late is after a participant on the hand had decided, or after the result was posted. Where cards were corrected late the posted hand
    is left out of account, since it agrees with one reading at most; all other cards count as they do.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: all filings.

    Returns:
        ``wager_key, first_due, last_due`` of each current wager in such a round: what is due in all by either reading, null where that
        reading leaves it open.
    """
    late = _corrected_late(chunk)
    if late.is_empty():
        return pl.DataFrame(schema=_REREAD)
    within = _only(chunk, late.select("round_key").unique())
    unposted = pl.when(pl.col("hand_key").is_in(late["hand_key"].implode())).then(None).otherwise("cards").alias("cards")
    last = replace(within, hands=within.hands.with_columns(unposted))
    corrections = last.card_readings.filter(pl.col("replaces").is_not_null()).join(late, on=_PLACE, how="semi", nulls_equal=True)
    uncorrected = last.card_readings.join(corrections, on=["round_key", "reading_no"], how="anti")
    first = replace(last, card_readings=uncorrected)
    due = pl.col("expected") + pl.col("expected_bonus").fill_null(0)
    dues = [settle(read, filed).select("wager_key", due.alias(name)) for read, name in ((first, "first_due"), (last, "last_due"))]
    return dues[0].join(dues[1], on="wager_key", validate="1:1")


def _only(chunk: Chunk, rounds: pl.DataFrame) -> Chunk:
    """The chunk of these rounds alone (``round_key``)."""
    frames = {field.name: getattr(chunk, field.name) for field in fields(chunk)}
    return Chunk(**{name: frame.join(rounds, on="round_key", how="semi") for name, frame in frames.items()})


def _corrected_late(chunk: Chunk) -> pl.DataFrame:
    """``round_key, hand_key, position`` of the cards that were corrected late, in current rounds."""
    corrections = chunk.card_readings.filter("is_current", pl.col("replaces").is_not_null(), pl.col("hand_key").is_not_null())
    if corrections.is_empty():
        return corrections
    posted = chunk.rounds.filter("is_current").select("round_key", "posted_at")
    decided = chunk.participants.filter("is_current").group_by("hand_key").agg(pl.col("decided_at").min())
    return (
        corrections.join(posted, on="round_key")
        .join(decided, on="hand_key", how="left")
        .filter((pl.col("read_at") > pl.col("posted_at")).fill_null(value=False) | (pl.col("read_at") > pl.col("decided_at")))
        .select("round_key", *_PLACE)
        .unique()
    )
