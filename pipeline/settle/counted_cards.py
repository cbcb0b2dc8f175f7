"""The cards that count in each hand, and which hands are distrusted.

The readings that no other replaces count; equal readings of one place are one card. A hand without readings counts as posted. Distrust
reaches as far as the cards do: a hand is distrusted by the first of ``correction_chain_broken``, ``conflicting_reading``,
``unreadable_card``, ``wrong_card_count``, ``reading_hand_mismatch`` and ``duplicate_card`` that holds, the last for every hand that holds
a card that appears twice in the readings that count, or in the posted hands, of the whole round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.settle.corrections import Corrections, corrections_of
from pipeline.settle.hands import card_bit, card_number

if TYPE_CHECKING:
    from pipeline.core.schema import Chunk

_THREE: Final = ("low", "middle", "high", "bits")
_NO_CORRECTION: Final = Corrections(pl.DataFrame(schema={"round_key": pl.Int64, "reading_no": pl.Int32}), pl.Series(dtype=pl.Int64))


def counted_cards(chunk: Chunk) -> pl.DataFrame:
    """One row for each current hand.

    Returns:
        ``hand_key, round_key, is_dealer``; ``low, middle, high`` (card numbers in ascending order, see ``hands``) and ``bits`` of its
        three cards, null where it is distrusted; ``distrust`` (the check's name; null: trusted).
    """
    readings = (
        chunk.card_readings.lazy()
        .filter("is_current")
        .select("round_key", "hand_key", "reading_no", "seq", "to", "position", "replaces", text="card", card=card_number(pl.col("card")))
        .collect(engine="in-memory")
    )
    corrected = readings["replaces"].null_count() < readings.height
    corrections = corrections_of(readings) if corrected else _NO_CORRECTION
    standing = readings.join(corrections.replaced, on=["round_key", "reading_no"], how="anti") if corrected else readings
    standing, conflicting = _one_card_a_place(standing)
    hands = _posted(chunk.hands.filter("is_current")).join(_read(standing, readings), on="hand_key", how="left", maintain_order="left")
    doubled = _holding_duplicates(hands, standing)
    return (
        hands.lazy()
        .with_columns(was_read=pl.col("read_count").is_not_null(), was_posted=pl.col("posted_count").is_not_null())
        .select(
            "hand_key", "round_key", "is_dealer",
            *(pl.when("was_read").then(f"read_{part}").otherwise(f"posted_{part}").alias(part) for part in _THREE),
            distrust=_distrust(corrections.broken, conflicting, doubled),
        )
        .with_columns(pl.when(pl.col("distrust").is_null()).then(part).alias(part) for part in _THREE)
        .collect(engine="in-memory")
    )  # fmt: skip


def _distrust(broken: pl.Series, conflicting: pl.Series, doubled: pl.Series) -> pl.Expr:
    read_count, posted_count = pl.col("read_count"), pl.col("posted_count")
    miscounted = pl.when("was_read").then((read_count != 3) | (posted_count != 3).fill_null(value=False)).otherwise(posted_count != 3)
    distinct = [pl.col(f"{side}_bits").bitwise_count_ones() == 3 for side in ("read", "posted")]
    same_set = (
        (pl.col("read_low") == pl.col("posted_low"))
        & (pl.col("read_high") == pl.col("posted_high"))
        & (distinct[0] == distinct[1])
        & (~distinct[0] | (pl.col("read_bits") == pl.col("posted_bits")))
    )
    first = {
        "correction_chain_broken": pl.col("hand_key").is_in(broken.implode()),
        "conflicting_reading": pl.col("hand_key").is_in(conflicting.implode()),
        "unreadable_card": (pl.col("read_known") < read_count) | (pl.col("posted_known") < posted_count),
        "wrong_card_count": miscounted.fill_null(value=True),
        "reading_hand_mismatch": pl.col("was_read") & pl.col("was_posted") & ~same_set,
        "duplicate_card": pl.col("hand_key").is_in(doubled.implode()),
    }
    return pl.coalesce(pl.when(holds).then(pl.lit(name)) for name, holds in first.items())


def _one_card_a_place(standing: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The readings without repeats of one place, and the hands that have a place read as two different cards."""
    if standing.select((pl.col("hand_key") * 64 + pl.col("position")).drop_nulls().n_unique()).item() == standing.height:
        return standing, pl.Series(dtype=pl.Int64)
    # What was not recognised equals nothing, itself included.
    unlike = pl.when(pl.col("text") == "??").then("reading_no").alias("unlike")
    once = standing.with_columns(unlike).unique(["round_key", "to", "position", "text", "unlike"], keep="first", maintain_order=True)
    places = once.filter(pl.col("position").is_not_null()).group_by("hand_key", "position").len()
    return once, places.filter((pl.col("len") > 1) & pl.col("hand_key").is_not_null())["hand_key"].unique()


def _read(standing: pl.DataFrame, readings: pl.DataFrame) -> pl.DataFrame:
    """A row for each hand with readings: how many count, how many of them are known cards, and the cards of those with three."""
    summed = (
        standing.lazy()
        .with_columns(bit=card_bit(pl.col("card")), number=pl.col("card").cast(pl.Int16))
        .group_by("hand_key")
        .agg(
            read_count=pl.len(),
            read_cards=pl.col("card").count(),
            read_known=pl.min_horizontal(pl.col("card").count(), pl.col("position").count()),
            read_low=pl.col("card").min(),
            total=pl.col("number").sum(),
            read_high=pl.col("card").max(),
            read_bits=pl.col("bit").sum(),
        )
        .with_columns(read_middle=_middle("total", "read_low", "read_high"))
        .drop("total")
        .collect(engine="in-memory")
    )
    if standing.height == readings.height:
        return summed
    emptied = readings.select("hand_key").unique().join(summed, on="hand_key", how="anti")
    none = emptied.with_columns(pl.lit(0, pl.UInt32).alias(count) for count in ("read_count", "read_cards", "read_known"))
    return pl.concat([summed, none], how="diagonal")


def _posted(hands: pl.DataFrame) -> pl.DataFrame:
    """The hands with the same columns for what was posted."""
    numbers = pl.col("cards").list.eval(card_number(pl.element())).alias("numbers")
    listed = pl.col("numbers").list
    return (
        hands.lazy()
        .select("hand_key", "round_key", "is_dealer", numbers)
        .with_columns(
            posted_count=listed.len(),
            posted_known=listed.eval(pl.element().is_not_null()).list.sum(),
            posted_low=listed.min(),
            total=listed.sum().cast(pl.Int16),
            posted_high=listed.max(),
        )
        .with_columns(posted_middle=_middle("total", "posted_low", "posted_high"))
        .with_columns(posted_bits=card_bit(pl.col("posted_low")) + card_bit(pl.col("posted_middle")) + card_bit(pl.col("posted_high")))
        .drop("total")
        .collect(engine="in-memory")
    )


def _middle(total: str, low: str, high: str) -> pl.Expr:
    """The third card of three, where there are three; elsewhere null or of no meaning."""
    rest = pl.col(total) - pl.col(low).cast(pl.Int16) - pl.col(high).cast(pl.Int16)
    return pl.when(rest.is_between(0, 51)).then(rest.cast(pl.UInt8, strict=False))


def _holding_duplicates(hands: pl.DataFrame, standing: pl.DataFrame) -> pl.Series:
    """The hands that hold a card that appears twice in their round.

    The sum of n powers of two has n bits set exactly if all are different, so the rounds that need a closer look are found by sums.
    """
    odd = (pl.col("posted_count") != pl.col("posted_known")) | (pl.col("posted_count") != 3)
    loose = standing["hand_key"].null_count() > 0
    suspect = (
        hands.lazy()
        .group_by("round_key")
        .agg(
            read=pl.col("read_bits").sum().bitwise_count_ones() != pl.col("read_cards").sum(),
            posted=pl.col("posted_bits").sum().bitwise_count_ones() != pl.col("posted_known").sum(),
            odd=odd.any(),
        )
        .filter(pl.any_horizontal("read", "posted", "odd"))
        .select("round_key")
        .collect(engine="in-memory")
    )
    if loose:
        suspect = pl.concat([suspect, standing.filter(pl.col("hand_key").is_null()).select("round_key")]).unique()
    if suspect.is_empty():
        return pl.Series(dtype=pl.Int64)
    read = standing.filter(pl.col("card").is_not_null()).join(suspect, on="round_key", how="semi").select("round_key", "hand_key", "card")
    posted = (
        hands.join(suspect, on="round_key", how="semi")
        .select("round_key", "hand_key", card="numbers")
        .explode("card", empty_as_null=True)
        .filter(pl.col("card").is_not_null())
    )
    twice = pl.concat([_twice(read), _twice(posted)]).unique()
    holders = pl.concat([read, posted]).join(twice, on=["round_key", "card"], how="semi")
    return holders["hand_key"].drop_nulls().unique()


def _twice(cards: pl.DataFrame) -> pl.DataFrame:
    return cards.group_by("round_key", "card").len().filter(pl.col("len") > 1).select("round_key", "card")
