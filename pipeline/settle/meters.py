"""What a meter holds for those who win a share of it in a round."""

from __future__ import annotations

import polars as pl

from pipeline.core.money import micros
from pipeline.settle.terms import METER


def with_pools(wagers: pl.DataFrame, price: str, meters: pl.DataFrame, filed_meters: pl.DataFrame) -> pl.DataFrame:
    """Add what the meter of each wager's kind held before its round plus what the round added, and how many share it.

    The meter is the one filed with ``share_of`` that kind, else one that the log gives that kind; its currency is the wager's. A share
    is divided by the real accepted wagers of the round that hit the same line of the same meter, unless each winner is filed to be
    paid in full: of that meter, or, where the log names a meter that is not filed, of the filed meter of the kind.

    Args:
        wagers: ``wager_key, round_key, filing_no, kind, currency, is_real, {price}_line, {price}_basis``.
        price: the prefix of the price columns.
        meters: as ``schema.METERS``.
        filed_meters: as ``filed.FILED_METERS``.

    Returns:
        The wagers with ``{price}_pool`` (Int128 millionths; null where no price is a meter's, or no meter is there) and
        ``{price}_winners``.
    """
    hits = wagers.filter(pl.col(f"{price}_basis") == METER).select(
        "wager_key", "round_key", "filing_no", "currency", "is_real", "kind", line=f"{price}_line"
    )
    entries = meters.filter(pl.col("is_current") & pl.col("before").is_not_null()).select(
        "round_key", "meter_no", "meter_id", meter_kind="kind", meter_currency="currency",
        pool=micros("before") + micros("contribution").fill_null(0),
    )  # fmt: skip
    filed = filed_meters.select("filing_no", "meter_id", "share_of", "several_winners")
    of_kind = filed_meters.group_by("filing_no", kind="share_of").agg(filed_for_kind=pl.col("several_winners").min())
    found = (
        hits.join(entries, on="round_key")
        .join(filed, on=["filing_no", "meter_id"], how="left")
        .join(of_kind, on=["filing_no", "kind"], how="left")
        .filter((pl.col("share_of") == pl.col("kind")) | (pl.col("meter_kind") == pl.col("kind")))
        .filter((pl.col("meter_currency") == pl.col("currency")) | pl.col("meter_currency").is_null())
        .with_columns(as_filed=(pl.col("share_of") == pl.col("kind")).fill_null(value=False))
        .sort("wager_key", "as_filed", "meter_no", descending=[False, True, False])
        .unique("wager_key", keep="first")
        .with_columns(sharing=pl.col("is_real").sum().over("round_key", "meter_no", "line"))
        .select(
            "wager_key",
            pl.col("pool").alias(f"{price}_pool"),
            pl.when(pl.coalesce("several_winners", "filed_for_kind") == "each_in_full")
            .then(1)
            .otherwise(pl.max_horizontal("sharing", pl.lit(1)))
            .cast(pl.Int128)
            .alias(f"{price}_winners"),
        )
    )
    return wagers.join(found, on="wager_key", how="left", maintain_order="left")
